import type { TObject } from 'typebox'
import { type Body, isBody } from './check-fields.ts'

/**
 * Removes empty fields: in an optional field, `null` and the empty string mean the same as no field. Required and
 * unknown fields stay, so that errors can name them. The same applies to each field of `options`.
 */
export function dropEmpty(schema: TObject, body: Body): Body {
  const required = new Set(schema.required ?? [])
  const isOptional = (name: string) => Object.hasOwn(schema.properties, name) && !required.has(name)
  const given = Object.entries(body).filter(([name, value]) => !(isEmpty(value) && isOptional(name)))
  return Object.fromEntries(
    given.map(([name, value]) => [name, name === 'options' && isBody(value) ? dropEmptyOptions(value) : value]),
  )
}

function dropEmptyOptions(options: Body): Body {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === ''
}
