import { didYouMean } from '@lathe/sdk'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { isDataUri } from './data-uri.ts'

// Not part of the schema, which every client sends to its model: it would be repeated with each argument.
const mostChars = 4096

interface Property {
  readonly enum?: readonly string[]
}

/** The schema of a tool's arguments. For an unknown value of an enum, its error lists the values and the nearest one. */
export function toolArguments<Args extends object>(
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
): ReturnType<typeof fromJsonSchema<Args>> {
  const schema = fromJsonSchema<Args>({ type: 'object', properties, required, additionalProperties: false } as never)
  const standard = schema['~standard']
  return {
    ...schema,
    '~standard': {
      ...standard,
      validate(data, ...rest) {
        const issues = [...enumFaults(properties, data), ...lengthFaults(data)]
        return issues.length > 0 ? { issues } : standard.validate(data, ...rest)
      },
    },
  }
}

interface ArgumentFault {
  readonly message: string
}

const fieldsOf = (data: unknown) => (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>

/** Arguments that are too long. Data URIs, which are longer, have a limit of their own. */
function lengthFaults(data: unknown): ArgumentFault[] {
  return Object.entries(fieldsOf(data)).flatMap(([name, value]) => {
    const isTooLong = [value].flat().some((one) => typeof one === 'string' && one.length > mostChars && !isDataUri(one))
    return isTooLong ? [{ message: `${name}: may have at most ${mostChars} characters.` }] : []
  })
}

function enumFaults(properties: Readonly<Record<string, Property>>, data: unknown): ArgumentFault[] {
  const given = fieldsOf(data)
  return Object.entries(properties).flatMap(([name, { enum: values }]) => {
    const value = given[name]
    if (!values || typeof value !== 'string' || values.includes(value)) return []
    return [{ message: `${name}: must be one of: ${values.join(', ')}.${didYouMean(value, values)}` }]
  })
}
