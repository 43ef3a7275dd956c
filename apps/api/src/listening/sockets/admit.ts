import { Problem } from '@lathe/domain'
import type { CallerCounter } from '../../caller-counter.ts'
import { requireAddress } from '../../http/client-address.ts'
import { bearerOf } from '../../http/headers.ts'
import type { Caller } from '../../job-tokens/caller.ts'
import type { Services } from '../../services.ts'

/** The caller of a socket, and its key. */
export interface SocketCaller {
  readonly key: string
  readonly caller: Caller
}

/** The services for sockets. */
export type SocketServices = Services & { readonly callers: CallerCounter }

type Parts = Pick<Services, 'accounts' | 'metrics'> & { readonly callers: CallerCounter }

/** Counts a message or a connection like a request. */
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

/** Authenticates a connection: the key must be valid and allow reading tasks. */
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

/** Checked again for every message: the key must allow reading tasks. */
export function requireRead({ scopes, onlyJob }: Caller): void {
  if (onlyJob !== undefined) {
    throw new Problem('forbidden', { msg: 'Sockets take API keys. With a job token, follow the events over HTTP.' })
  }
  if (!scopes.has('task.read')) {
    throw new Problem('forbidden', { msg: 'The API key does not have the scope task.read, which listening needs.' })
  }
}
