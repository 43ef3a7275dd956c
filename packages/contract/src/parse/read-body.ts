import { invalidField } from '@lathe/domain'
import type { Static, TObject } from 'typebox'
import { checkFields, isBody } from './check-fields.ts'
import { checkShape } from './check-shape.ts'
import { dropEmpty } from './drop-empty.ts'
import { refuse } from './refuse.ts'

/** Reads a body by its schema, or throws a Problem that names every faulty field. */
export function readBody<T extends TObject>(schema: T, sent: unknown): Static<T> {
  checkShape(sent)
  if (!isBody(sent)) throw invalidField('body', 'must be a JSON object.')
  const body = dropEmpty(schema, sent)
  refuse(checkFields(schema, body, ''))
  return body as Static<T>
}
