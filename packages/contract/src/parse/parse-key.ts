import type { FieldError } from '@lathe/domain'
import { keyBody, keyChangeBody } from '../bodies/key-bodies.ts'
import { type KeyScope, scopes, usualScopes } from '../scopes.ts'
import { isBody } from './check-fields.ts'
import { readBody } from './read-body.ts'
import { refuse } from './refuse.ts'

/** A key as a valid request describes it. */
export interface ParsedKey {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly expiresAt: Date | null
  readonly allowedIps: readonly string[] | null
}

/** A list of IP addresses and ranges. */
export interface AllowedRanges {
  readonly ranges: readonly string[]
  /** Whether the list includes all addresses of a range. */
  covers(range: string): boolean
}

/** The caller that changes a key. */
export interface KeyChanger {
  /** The IP addresses that the caller's own key may be used from; any if not given. */
  readonly allowedFrom?: AllowedRanges | undefined
  /** Whether a text is an IP address or a range of them. */
  isRange(text: string): boolean
}

/** The caller that creates a key, and the time. */
export interface KeyMaker extends KeyChanger {
  readonly scopes: ReadonlySet<string>
  /** When the caller's own key expires; never if not given. */
  readonly expiresAt?: Date | undefined
  readonly now: Date
}

/** The changes to a key; what is not given stays unchanged. */
export interface ParsedKeyChange {
  readonly name?: string
  /** Null for any IP address. */
  readonly allowedIps?: readonly string[] | null
}

/**
 * Reads the body of a new key, or throws a Problem that names every faulty field. A key cannot create keys with more
 * scopes than its own, nor keys that may be used from more IP addresses or for longer.
 */
export function parseKey(sent: unknown, maker: KeyMaker): ParsedKey {
  const { name, scopes: wanted, expiresAt, allowedIps = maker.allowedFrom?.ranges ?? null } = readBody(keyBody, sent)
  const granted = scopes.filter((scope) => (wanted ?? usualScopes).includes(scope) && maker.scopes.has(scope))
  const time = expiresAt ? new Date(expiresAt) : (maker.expiresAt ?? null)
  refuse([...checkScopes(wanted, maker), ...checkTime(time, maker), ...checkRanges(allowedIps ?? [], maker)])
  return { name, scopes: granted, expiresAt: time, allowedIps }
}

/** Reads the changes to a key. A key that is limited to IP addresses cannot allow others, for itself or for any key. */
export function parseKeyChange(sent: unknown, changer: KeyChanger): ParsedKeyChange {
  const body = sent ?? {}
  const change = readBody(keyChangeBody, body)
  // In a change, an empty list of addresses removes the limit.
  const isCleared = isBody(body) && (body.allowedIps === null || body.allowedIps === '')
  refuse([...checkRanges(change.allowedIps ?? [], changer), ...(isCleared ? checkClearing(changer) : [])])
  return { ...change, ...(isCleared && { allowedIps: null }) }
}

function checkClearing({ allowedFrom }: KeyChanger): FieldError[] {
  if (!allowedFrom) return []
  return [{ path: 'allowedIps', code: 'conflict', msg: `must not be empty: ${limitOf(allowedFrom)}.` }]
}

function checkScopes(wanted: readonly KeyScope[] | undefined, maker: KeyMaker): FieldError[] {
  const beyond = (wanted ?? []).filter((scope) => !maker.scopes.has(scope))
  const own = [...maker.scopes].join(', ')
  return beyond.length === 0
    ? []
    : [
        {
          path: 'scopes',
          msg: `must be scopes of the key that makes the request: ${own}. It lacks ${beyond.join(', ')}.`,
        },
      ]
}

function checkTime(time: Date | null, { now, expiresAt }: KeyMaker): FieldError[] {
  if (time !== null && expiresAt !== undefined && time > expiresAt) {
    const msg = `must not be after the key that makes the request expires, at ${expiresAt.toISOString()}.`
    return [{ path: 'expiresAt', msg, code: 'conflict' }]
  }
  if (time === null || time > now) return []
  const what = Number.isNaN(time.getTime()) ? 'is not a time' : 'is not in the future'
  return [{ path: 'expiresAt', msg: `${what}. Use an ISO 8601 time in the future, such as 2027-01-31T00:00:00Z.` }]
}

function checkRanges(ranges: readonly string[], { isRange, allowedFrom }: KeyChanger): FieldError[] {
  return ranges.flatMap((range, i) => {
    const path = `allowedIps[${i}]`
    if (!isRange(range)) return [{ path, msg: 'must be an address or a range, such as 192.0.2.0/24.' }]
    if (!allowedFrom || allowedFrom.covers(range)) return []
    return [
      {
        path,
        code: 'conflict',
        msg: `must be within the addresses of the key that makes the request: ${limitOf(allowedFrom)}.`,
      },
    ]
  })
}

const limitOf = ({ ranges }: AllowedRanges) => `it may be used from ${ranges.join(', ')} only`
