import type { FieldError } from '@lathe/domain'
import { keyBody, keyChangeBody } from '../bodies/key-bodies.ts'
import { type KeyScope, scopes, usualScopes } from '../scopes.ts'
import { readBody } from './read-body.ts'
import { refuse } from './refuse.ts'

/** A key as a valid request describes it. */
export interface ParsedKey {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly expiresAt: Date | null
  readonly allowedIps: readonly string[] | null
}

/** The caller that creates a key, and the time. */
export interface KeyMaker {
  readonly scopes: ReadonlySet<string>
  readonly now: Date
  /** Whether a text is an IP address or a range of them. */
  isRange(text: string): boolean
}

/**
 * Reads the body of a new key, or throws a Problem that names every faulty field. A key cannot create keys with more
 * scopes than its own.
 */
export function parseKey(sent: unknown, maker: KeyMaker): ParsedKey {
  const { name, scopes: wanted, expiresAt, allowedIps = null } = readBody(keyBody, sent)
  const granted = scopes.filter((scope) => (wanted ?? usualScopes).includes(scope) && maker.scopes.has(scope))
  const time = expiresAt ? new Date(expiresAt) : null
  refuse([...checkScopes(wanted, maker), ...checkTime(time, maker.now), ...checkRanges(allowedIps ?? [], maker)])
  return { name, scopes: granted, expiresAt: time, allowedIps }
}

/** Reads the changes to a key. */
export function parseKeyChange(sent: unknown = {}): { readonly name?: string } {
  const { name } = readBody(keyChangeBody, sent)
  return name === undefined ? {} : { name }
}

function checkScopes(wanted: readonly KeyScope[] | undefined, maker: KeyMaker): FieldError[] {
  const beyond = (wanted ?? []).filter((scope) => !maker.scopes.has(scope))
  const own = [...maker.scopes].join(', ')
  return beyond.length === 0
    ? []
    : [{ path: 'scopes', msg: `must be scopes of the key that asks: ${own}. It lacks ${beyond.join(', ')}.` }]
}

function checkTime(time: Date | null, now: Date): FieldError[] {
  if (time === null || time > now) return []
  const what = Number.isNaN(time.getTime()) ? 'is no time' : 'is not in the future'
  return [{ path: 'expiresAt', msg: `${what}. Give an ISO 8601 time to come, such as 2027-01-31T00:00:00Z.` }]
}

function checkRanges(ranges: readonly string[], { isRange }: KeyMaker): FieldError[] {
  return ranges.flatMap((range, i) =>
    isRange(range) ? [] : [{ path: `allowedIps[${i}]`, msg: 'must be an address or a range, such as 192.0.2.0/24.' }],
  )
}
