import { invalidField } from '@lathe/domain'
import { limits } from '../limits.ts'

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

/** Which part of a list is asked for. */
export interface Paging {
  readonly page: number
  readonly limit: number
  readonly offset: number
}

/** Reads `page` and `per_page`. */
export function parsePaging(raw: RawQuery): Paging {
  const limit = integer(raw, 'per_page', limits.perPageMax) ?? limits.perPageDefault
  const page = integer(raw, 'page', Number.MAX_SAFE_INTEGER) ?? 1
  // A page far past the end is empty, not an overflow of the database's bigint.
  return { page, limit, offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER) }
}

function integer(raw: RawQuery, name: string, max: number): number | undefined {
  const text = singleValue(raw, name)
  if (text === undefined) return undefined
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > max) throw invalidField(name, `must be an integer from 1 to ${max}.`)
  return value
}
