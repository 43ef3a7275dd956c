import { invalidField } from '@lathe/domain'
import { limits } from '../limits.ts'
import { normalizeId } from '../schemas/common.ts'

/** Query parameters as they came: a repeated one is an array. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

/** The one value of a parameter. Given twice, nobody can say which was meant. */
export function singleValue(raw: RawQuery, name: string): string | undefined {
  const value = Object.hasOwn(raw, name) ? raw[name] : undefined
  if (Array.isArray(value)) throw invalidField(name, 'is given more than once. Give it once.')
  // PostgreSQL stores no NUL, so nothing can match it.
  if (value?.includes('\0')) throw invalidField(name, 'holds a NUL character. Leave it out.')
  return value
}

/** A parameter that must be one of a list. */
export function enumValue<T extends string>(raw: RawQuery, name: string, allowed: readonly T[]): T | undefined {
  const value = singleValue(raw, name)
  if (value === undefined) return undefined
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw invalidField(name, `must be one of: ${allowed.join(', ')}.`)
  return found
}

/** A parameter that is a moment in UTC: a day, or a day and a time. */
export function timeValue(raw: RawQuery, name: string): Date | undefined {
  const text = singleValue(raw, name)
  if (text === undefined) return undefined
  const time = /^[12]\d{3}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (!Number.isNaN(time.getTime())) return time
  throw invalidField(name, 'must be a time (UTC) such as 2026-01-31 or 2026-01-31T12:00:00Z.')
}

/** The values of a comma-separated `include`. */
export function includeValues<T extends string>(raw: RawQuery, allowed: readonly T[]): ReadonlySet<T> {
  const given = (singleValue(raw, 'include') ?? '').split(',').map((part) => part.trim())
  const wanted = given.filter((part) => part !== '')
  const unknown = wanted.filter((part) => !(allowed as readonly string[]).includes(part))
  if (unknown.length > 0) {
    throw invalidField('include', `does not know ${unknown.join(', ')}. Allowed: ${allowed.join(', ')}.`)
  }
  return new Set(wanted as T[])
}

/** Which part of a list is asked for: a page by its number, or the one next to a known document. */
export interface Paging {
  readonly page: number
  readonly limit: number
  readonly offset: number
  readonly after?: string
  readonly before?: string
}

/** Reads `page` and `per_page`, or a cursor in the place of `page`. */
export function parsePaging(raw: RawQuery): Paging {
  const limit = integer(raw, 'per_page', limits.perPageMax) ?? limits.perPageDefault
  const cursor = parseCursor(raw)
  const page = integer(raw, 'page', Number.MAX_SAFE_INTEGER)
  if (cursor) {
    if (page !== undefined)
      throw invalidField('page', `cannot be combined with ${cursor.name}. Give one of the two.`, 'conflict')
    return { page: 1, limit, offset: 0, [cursor.name]: cursor.id }
  }
  // A page far past the end is empty, not an overflow of the database's bigint.
  return { page: page ?? 1, limit, offset: Math.min(((page ?? 1) - 1) * limit, Number.MAX_SAFE_INTEGER) }
}

function parseCursor(raw: RawQuery): { name: 'after' | 'before'; id: string } | undefined {
  const [after, before] = [singleValue(raw, 'after'), singleValue(raw, 'before')]
  if (after !== undefined && before !== undefined) {
    throw invalidField('before', 'cannot be combined with after. Give one of the two.', 'conflict')
  }
  const name = after === undefined ? 'before' : 'after'
  const text = after ?? before
  if (text === undefined) return undefined
  const id = normalizeId(text)
  if (id === undefined) throw invalidField(name, 'must be the id of a document of this list: 24 hexadecimal digits.')
  return { name, id }
}

function integer(raw: RawQuery, name: string, max: number): number | undefined {
  const text = singleValue(raw, name)
  if (text === undefined) return undefined
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > max) throw invalidField(name, `must be an integer from 1 to ${max}.`)
  return value
}
