import { isKey, type KeyHolder } from '@lathe/accounts'
import { Problem } from '@lathe/domain'
import { bearerOf } from '../../http/bearer.ts'
import { limitedBy } from '../../plugins/rate-limit.ts'
import type { Services } from '../../services.ts'

/** Who has come, and with which key. */
export interface Guest {
  readonly key: string
  readonly caller: KeyHolder
}

type Parts = Pick<Services, 'accounts' | 'limiter' | 'metrics'>

/** Counts a message or a connection, as a request is counted. */
export async function countOne(
  { limiter, metrics }: Pick<Parts, 'limiter' | 'metrics'>,
  key: string | undefined,
  address: string,
): Promise<void> {
  const { by, id } = limitedBy(key, address)
  const { allowed, resetS } = await limiter.take(by, id)
  if (allowed) return
  metrics.rateLimited.inc({ by })
  throw new Problem('rate_limited', { msg: `Too many requests. Try again in ${resetS} seconds.` })
}

/** Finds out who connects: the key must be valid and may read tasks. */
export async function admitGuest(parts: Parts, token: unknown, address: string): Promise<Guest> {
  const key = bearerOf(typeof token === 'string' ? token : undefined)
  await countOne(parts, key, address)
  const caller = key === undefined ? undefined : await parts.accounts.findCaller(key)
  if (key === undefined || !caller) {
    // As over HTTP: a key that only looks like one counts against its address, too.
    if (key !== undefined && isKey(key)) await countOne(parts, undefined, address)
    throw new Problem('unauthorized', {
      msg: 'The API key is missing or invalid. Connect with auth: { token: "Bearer <API_KEY>" }.',
    })
  }
  requireRead(caller)
  return { key, caller }
}

/** A key says again with every message that it may read. */
export function requireRead({ scopes }: KeyHolder): void {
  if (!scopes.has('task.read')) {
    throw new Problem('forbidden', { msg: 'The API key does not have the scope task.read, which listening needs.' })
  }
}
