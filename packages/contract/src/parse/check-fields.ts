import type { FieldError } from '@lathe/domain'
import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { describeField } from './describe-field.ts'
import { join } from './path.ts'
import { mostShown } from './refuse.ts'

/** A JSON object as received. */
export type Body = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks a body against its schema and reports each unknown, missing and malformed field once. */
export function checkFields(schema: TObject, body: Body, path: string): FieldError[] {
  const allowed = Object.keys(schema.properties)
  const unknown = Object.keys(body)
    .filter((name) => !Object.hasOwn(schema.properties, name))
    .slice(0, mostShown)
    .map((name) => ({ path: join(path, name), code: 'unknown' as const, msg: unknownText(allowed) }))
  const faulty = Object.entries(schema.properties).flatMap(([name, field]) => {
    if (!Object.hasOwn(body, name)) {
      const required = schema.required?.includes(name) ?? false
      return required ? [missing(join(path, name), field)] : []
    }
    const value = body[name]
    if (isValid(field, value)) return []
    if (isClosedObject(field) && isBody(value)) return checkFields(field, value, join(path, name))
    return [{ path: join(path, name), msg: `must be ${describeField(field)}` }]
  })
  return [...unknown, ...faulty]
}

/** Whether a field is an object without unknown fields, so that an error can name the field inside it. */
function isClosedObject(field: TSchema): field is TObject {
  return 'properties' in field && 'additionalProperties' in field && field.additionalProperties === false
}

function missing(path: string, field: TSchema): FieldError {
  return { path, code: 'required', msg: `is required. It must be ${describeField(field)}` }
}

function unknownText(allowed: readonly string[]): string {
  return allowed.length === 0
    ? 'is unknown. This request takes no fields.'
    : `is unknown. Allowed: ${allowed.join(', ')}.`
}

// Compiling takes a millisecond, so a schema is compiled once, on first use.
const validators = new WeakMap<TSchema, Validator>()

/** Whether a value matches a schema. */
export function isValid(schema: TSchema, value: unknown): boolean {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator.Check(value)
}
