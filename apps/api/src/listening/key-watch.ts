import type { Accounts } from '@lathe/accounts'

/** Keys that are in use for longer than one request. */
export interface KeyWatch extends Disposable {
  /** Calls back once the key may no longer read; what it gives ends the watch. */
  watch(key: string, onLost: () => void): () => void
}

// Who a key belongs to is remembered for 4 s: with this, one that was revoked is out within 5.
const everyMs = 500

/** Looks again and again whether keys in use are still valid, each key once for all who came with it. */
export function createKeyWatch({ accounts }: { accounts: Pick<Accounts, 'findCaller'> }): KeyWatch {
  const held = new Map<string, Set<() => void>>()

  async function check(key: string, callbacks: ReadonlySet<() => void>): Promise<void> {
    const holder = await accounts.findCaller(key)
    if (!holder?.scopes.has('task.read')) for (const tell of [...callbacks]) tell()
  }

  const timer = setInterval(() => {
    // While the record cannot be asked, nobody is known to have lost anything.
    for (const [key, callbacks] of held) check(key, callbacks).catch(() => undefined)
  }, everyMs)
  timer.unref()

  return {
    watch(key, onLost) {
      const callbacks = held.get(key) ?? new Set()
      held.set(key, callbacks.add(onLost))
      return () => {
        callbacks.delete(onLost)
        if (callbacks.size === 0 && held.get(key) === callbacks) held.delete(key)
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
