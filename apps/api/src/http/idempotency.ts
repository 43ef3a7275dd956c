import { createHash } from 'node:crypto'
import { invalidField } from '@lathe/domain'
import { trimSlashes } from './paths.ts'

/** What identifies a request, regardless of the order of its fields. */
export interface RepeatableRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** The SHA-256 of a request. A missing body and an empty object are the same. */
export function requestHash({ method, path, body }: RepeatableRequest): string {
  const plainPath = trimSlashes(path).toLowerCase()
  return createHash('sha256')
    .update([method, plainPath, canonicalJson(body ?? {})].join('\n'))
    .digest('hex')
}

/** Reads `Idempotency-Key`: up to 255 visible characters. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters without spaces.')
}

/** JSON with sorted keys, so that equal values have equal text. For values that came as JSON. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join()}}`
}
