import type { ByteRange } from '@lathe/storage'

/** Whether an `Accept` header allows JSON. The most specific range that matches decides. */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true
  const quality = new Map(header.split(',').map(parseMediaRange))
  for (const range of ['application/json', 'application/*', '*/*']) {
    const q = quality.get(range)
    if (q !== undefined) return q > 0
  }
  return false
}

function parseMediaRange(text: string): [range: string, quality: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  return [range, q === undefined ? 1 : Number(q.slice(2)) || 0]
}

/** The token of an `Authorization: Bearer` header, if there is one. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1]
}

/** The longest time an answer is held. Proxies cut connections that are silent for longer. */
export const longestWaitS = 60

/**
 * The seconds that `Prefer: wait=N` asks for, at most 60; undefined if it does not. An invalid preference is ignored
 * (RFC 7240).
 */
export function parseWait(header: string | undefined): number | undefined {
  for (const preference of (header ?? '').split(',')) {
    const [, seconds] = /^\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?:;|$)/i.exec(preference) ?? []
    if (seconds !== undefined) return Math.min(Number(seconds), longestWaitS)
  }
  return undefined
}

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

/** A header that makes browsers save the file under its name, with any characters (RFC 6266). */
export function attachment(filename: string): string {
  const name = filename.toWellFormed()
  // Old clients read the plain form: non-ASCII characters, and those that would end the quotes, become underscores.
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(name)}`
}

// encodeURIComponent does not encode these characters, but RFC 8187 requires it.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
