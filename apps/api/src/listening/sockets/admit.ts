import { Problem } from '@lathe/domain'
import type { CallerCounter } from '../../caller-counter.ts'
import { bearerOf } from '../../http/bearer.ts'
import { requireAddress } from '../../http/key-address.ts'
import type { Caller } from '../../job-tokens/caller.ts'
import type { Services } from '../../services.ts'

/** Who has come, and with which key. */
export interface SocketCaller {
  readonly key: string
  readonly caller: Caller
}

/** What sockets are served with. */
export type SocketServices = Services & { readonly callers: CallerCounter }

type Parts = Pick<Services, 'accounts' | 'metrics'> & { readonly callers: CallerCounter }

/** Counts a message or a connection, as a request is counted. */
export async function countOne(
  { callers, metrics }: Pick<Parts, 'callers' | 'metrics'>,
  key: string | undefined,
  address: string,
): Promise<void> {
  const { by, verdict } = await callers.count(key, address)
  if (verdict.allowed) return
  metrics.rateLimited.inc({ by })
  throw new Problem('rate_limited', { msg: `Too many requests. Try again in ${verdict.resetS} seconds.` })
}

/** Finds out who connects: the key must be valid and may read tasks. */
export async function authenticateSocket(parts: Parts, token: unknown, address: string): Promise<SocketCaller> {
  const key = bearerOf(typeof token === 'string' ? token : undefined)
  await countOne(parts, key, address)
  const caller = key === undefined ? undefined : await parts.accounts.findCaller(key)
  if (key === undefined || !caller) {
    if (key !== undefined) parts.callers.forget(key)
    throw new Problem('unauthorized', {
      msg: 'The API key is missing or invalid. Connect with auth: { token: "Bearer <API_KEY>" }.',
    })
  }
  requireAddress(caller, address)
  requireRead(caller)
  return { key, caller }
}

/** A key says again with every message that it may read. */
export function requireRead({ scopes, onlyJob }: Caller): void {
  if (onlyJob !== undefined) {
    throw new Problem('forbidden', { msg: 'Sockets take API keys. With a job token, follow the events over HTTP.' })
  }
  if (!scopes.has('task.read')) {
    throw new Problem('forbidden', { msg: 'The API key does not have the scope task.read, which listening needs.' })
  }
}
