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
  const hash = createHash('sha256')
  let held = [method, trimSlashes(path).toLowerCase(), ''].join('\n')
  // Piece by piece: as one text, a body of 16 MB would be copied once more at each level.
  writeCanonical(body ?? {}, (piece) => {
    held += piece
    if (held.length < pieceChars) return
    hash.update(held)
    held = ''
  })
  return hash.update(held).digest('hex')
}

const pieceChars = 65_536

/** Reads `Idempotency-Key`: up to 255 visible characters. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters without spaces.')
}

/** Writes JSON with sorted keys, so that equal values have equal text. For values that came as JSON. */
function writeCanonical(value: unknown, write: (piece: string) => void): void {
  if (typeof value !== 'object' || value === null) {
    write(JSON.stringify(value) ?? 'null')
    return
  }
  const isArray = Array.isArray(value)
  const entries = isArray ? value.entries() : Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  let before = ''
  write(isArray ? '[' : '{')
  for (const [key, item] of entries) {
    write(isArray ? before : `${before}${JSON.stringify(key)}:`)
    writeCanonical(item, write)
    before = ','
  }
  write(isArray ? ']' : '}')
}
