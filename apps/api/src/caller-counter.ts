import { createHash } from 'node:crypto'
import { isAccessToken, isKey } from '@lathe/accounts'
import type { LimitedBy, RateVerdict } from './rate-limiter.ts'
import type { Services } from './services.ts'

/** How a request was counted. */
export interface Counted {
  readonly by: LimitedBy
  readonly verdict: RateVerdict
  /** The key has the format of ours but does not exist. */
  readonly isInvented?: boolean
}

/** Counts requests and messages: by key if it is valid, by IP address otherwise. */
export interface CallerCounter {
  count(key: string | undefined, address: string): Promise<Counted>
  /** Forgets a key that is no longer valid. */
  forget(key: string): void
}

// About 100 bytes each; beyond this number the oldest is dropped and looked up again when needed.
const maxKnown = 10_000

/**
 * A key not seen before counts against its IP address until the database confirms it. So an address over its limit
 * cannot make us count or look up invented keys, while keys in use are not affected by other clients at the same
 * address.
 */
export function createCallerCounter({ accounts, limiter }: Pick<Services, 'accounts' | 'limiter'>): CallerCounter {
  // Maps each key to the id it is counted by: a session renews its token every few minutes but has a single count.
  const known = new Map<string, string>()
  const pending = new Map<string, Promise<Counted | undefined>>()

  function remember(id: string, countedAs: string): void {
    known.set(id, countedAs)
    const [oldest] = known.keys()
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest)
  }

  /** Returns how an invented key was counted, or undefined if the key is valid. */
  async function meet(key: string, id: string, address: string): Promise<Counted | undefined> {
    const verdict = await limiter.take('address', address)
    if (!verdict.allowed) return { by: 'address', verdict }
    const caller = await accounts.findCaller(key)
    if (!caller) return { by: 'address', verdict, isInvented: true }
    remember(id, isAccessToken(key) ? caller.keyId : id)
    await limiter.giveBack('address', address)
    return undefined
  }

  /** Requests with the same new key share one lookup, so that a backend may start with many at once. */
  async function meetOnce(key: string, id: string, address: string): Promise<Counted | undefined> {
    const met = pending.get(id)
    if (met) {
      const counted = await met
      return counted && { ...counted, verdict: await limiter.take('address', address) }
    }
    const meeting = meet(key, id, address).finally(() => pending.delete(id))
    pending.set(id, meeting)
    return meeting
  }

  return {
    async count(key, address) {
      const isOurs = key !== undefined && (isKey(key) || isAccessToken(key))
      if (!isOurs) return { by: 'address', verdict: await limiter.take('address', address) }
      const id = idOf(key)
      const refused = known.has(id) ? undefined : await meetOnce(key, id, address)
      return refused ?? { by: 'key', verdict: await limiter.take('key', known.get(id) ?? id) }
    },
    forget: (key) => void known.delete(idOf(key)),
  }
}

function idOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
