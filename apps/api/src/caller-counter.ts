import { createHash } from 'node:crypto'
import { isAccessToken, isKey } from '@lathe/accounts'
import type { LimitedBy, RateVerdict } from './rate-limiter.ts'
import type { Services } from './services.ts'

/** How a request was counted. */
export interface Counted {
  readonly by: LimitedBy
  readonly verdict: RateVerdict
  /** The key looks like one of ours, and is not. */
  readonly isInvented?: boolean
}

/** Counts requests and messages: for their key if it is real, for their address otherwise. */
export interface CallerCounter {
  count(key: string | undefined, address: string): Promise<Counted>
  /** Says that a key is no longer valid. */
  forget(key: string): void
}

// Some 100 bytes each; when there are more, the oldest goes and is asked for again.
const maxKnown = 10_000

/**
 * A key that was not seen before counts for its address until the record knows it. So an address over its limit cannot
 * make us count or look up the keys it invents, while keys in use pass whatever their neighbours try.
 */
export function createCallerCounter({ accounts, limiter }: Pick<Services, 'accounts' | 'limiter'>): CallerCounter {
  // What each counts as: a session renews its token every few minutes, and has one count.
  const known = new Map<string, string>()
  const pending = new Map<string, Promise<Counted | undefined>>()

  function remember(id: string, countedAs: string): void {
    known.set(id, countedAs)
    const [oldest] = known.keys()
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest)
  }

  /** Gives how an invented key was counted, or undefined if the key is real. */
  async function meet(key: string, id: string, address: string): Promise<Counted | undefined> {
    const verdict = await limiter.take('address', address)
    if (!verdict.allowed) return { by: 'address', verdict }
    const caller = await accounts.findCaller(key)
    if (!caller) return { by: 'address', verdict, isInvented: true }
    remember(id, isAccessToken(key) ? caller.keyId : id)
    await limiter.giveBack('address', address)
    return undefined
  }

  /** Requests with the same new key wait for one lookup, so that a backend may begin with many at once. */
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
