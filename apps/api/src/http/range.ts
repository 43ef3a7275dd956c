import type { ByteRange } from '@lathe/storage'

/** What a `Range` header asks of a content of some size: a part of it, nothing that exists, or no part at all. */
export type RequestedRange = ByteRange | 'unsatisfiable' | undefined

/**
 * Reads a single byte range. What is not one (another unit, several ranges, nonsense) is ignored,
 * which RFC 9110 allows: the whole content is the answer then.
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
