import type { Accounts } from '@lathe/accounts'
import { isAllowedFrom } from '../http/client-address.ts'

/** Watches keys that are used for longer than one request. */
export interface KeyWatch extends Disposable {
  /** Calls `onLost` once the key may no longer read from this IP address; the returned function ends the watch. */
  watch(key: string, address: string, onLost: () => void): () => void
}

interface Use {
  readonly address: string
  onLost(): void
}

// The owner of a key is cached for 4 s, so a revoked key, or one that is limited to other addresses, is cut off within
// 5 s.
const everyMs = 500

/** Checks regularly whether keys in use are still valid, once per key for all its connections. */
export function createKeyWatch({ accounts }: { accounts: Pick<Accounts, 'findCaller'> }): KeyWatch {
  const held = new Map<string, Set<Use>>()

  async function check(key: string, uses: ReadonlySet<Use>): Promise<void> {
    const holder = await accounts.findCaller(key)
    const mayRead = holder?.scopes.has('task.read') ?? false
    for (const { address, onLost } of [...uses]) if (!mayRead || !isAllowedFrom(holder, address)) onLost()
  }

  const timer = setInterval(() => {
    // While the database cannot be reached, all keys stay valid.
    for (const [key, uses] of held) check(key, uses).catch(() => undefined)
  }, everyMs)
  timer.unref()

  return {
    watch(key, address, onLost) {
      const uses = held.get(key) ?? new Set()
      const use = { address, onLost }
      held.set(key, uses.add(use))
      return () => {
        uses.delete(use)
        if (uses.size === 0 && held.get(key) === uses) held.delete(key)
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
