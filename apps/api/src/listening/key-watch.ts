import type { Accounts } from '@lathe/accounts'

/** Watches keys that are used for longer than one request. */
export interface KeyWatch extends Disposable {
  /** Calls `onLost` once the key may no longer read; the returned function ends the watch. */
  watch(key: string, onLost: () => void): () => void
}

// The owner of a key is cached for 4 s, so a revoked key is cut off within 5 s.
const everyMs = 500

/** Checks regularly whether keys in use are still valid, once per key for all its connections. */
export function createKeyWatch({ accounts }: { accounts: Pick<Accounts, 'findCaller'> }): KeyWatch {
  const held = new Map<string, Set<() => void>>()

  async function check(key: string, callbacks: ReadonlySet<() => void>): Promise<void> {
    const holder = await accounts.findCaller(key)
    if (!holder?.scopes.has('task.read')) for (const tell of [...callbacks]) tell()
  }

  const timer = setInterval(() => {
    // While the database cannot be reached, all keys stay valid.
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
