import { invalidField } from '@lathe/domain'

/** Refuses a body where none is needed; an empty body and `{}` are the same. */
export function requireNoBody(body: unknown): void {
  if (body === undefined || body === null) return
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidField('body', 'must be empty or {}.')
  const [field] = Object.keys(body)
  if (field !== undefined) throw invalidField(field, 'is not known. This endpoint takes no body.')
}
