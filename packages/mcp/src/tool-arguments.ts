import { didYouMean } from '@lathe/sdk'
import { fromJsonSchema } from '@modelcontextprotocol/server'

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
        const issues = enumFaults(properties, data)
        return issues.length > 0 ? { issues } : standard.validate(data, ...rest)
      },
    },
  }
}

function enumFaults(properties: Readonly<Record<string, Property>>, data: unknown): { readonly message: string }[] {
  const given = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  return Object.entries(properties).flatMap(([name, { enum: values }]) => {
    const value = given[name]
    if (!values || typeof value !== 'string' || values.includes(value)) return []
    return [{ message: `${name}: must be one of: ${values.join(', ')}.${didYouMean(value, values)}` }]
  })
}
