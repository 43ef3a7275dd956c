import type { ByteRange } from '@lathe/storage'

/**
 * What a `Range` header asks of content of a known size: a part of it, an unsatisfiable range, or no range (undefined).
 */
export type RequestedRange = ByteRange | 'unsatisfiable' | undefined

/**
 * Reads a single byte range. Anything else (another unit, several ranges, invalid values) is ignored and the answer is
 * the whole content, which RFC 9110 allows.
 */
export function parseRange(header: string | undefined, size: number): RequestedRange {
  const [, first, last] = /^bytes=\s*([0-9]{0,15})-([0-9]{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first === '') return suffix(Number(last), size)
  const start = Number(first)
  const end = last === '' ? size - 1 : Number(last)
  if (last !== '' && end < start) return undefined
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable'
}

function suffix(length: number, size: number): RequestedRange {
  if (length === 0 || size === 0) return 'unsatisfiable'
  return { start: Math.max(size - length, 0), end: size - 1 }
}
