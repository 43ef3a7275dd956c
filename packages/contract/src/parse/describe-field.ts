import type { TSchema } from 'typebox'

/** The parts of a JSON Schema that our fields use. */
interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly description?: string
}

/** Describes the allowed values of a field: the end of a sentence that starts with "must be". */
export function describeField(schema: TSchema): string {
  const { description } = schema as FieldSchema
  return description === undefined ? `${describeType(schema)}.` : `${describeType(schema)}. ${description}`
}

function describeType(schema: TSchema): string {
  const field = schema as FieldSchema
  if (field.anyOf) return field.anyOf.map(describeType).join(' or ')
  if (field.enum) return `one of: ${field.enum.join(', ')}`
  if (field.type === 'string') return describeString(field)
  if (field.type === 'array') return `an array of ${field.minItems ?? 0} to ${field.maxItems ?? 'any number of'} items`
  if (field.type === 'boolean') return 'true or false'
  if (field.type === 'null') return 'null'
  return field.type === 'object' ? 'an object' : `a${field.type === 'integer' ? 'n integer' : ' number'}`
}

function describeString({ minLength = 0, maxLength }: FieldSchema): string {
  return maxLength === undefined ? 'a string' : `a string of ${minLength} to ${maxLength} characters`
}
