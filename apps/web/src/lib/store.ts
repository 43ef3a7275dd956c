import { useSyncExternalStore } from 'react'

/** A value that components can subscribe to. */
export interface Store<T> {
  get(): T
  set(next: T): void
  update(change: (now: T) => T): void
  subscribe(listener: () => void): () => void
}

/** Creates a store. Listeners are notified after a change. */
export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  const set = (next: T) => {
    if (Object.is(next, value)) return
    value = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Subscribes to a part of a store. The part must be the same object as long as it does not change. */
export function useStore<T, Part>(store: Store<T>, pick: (value: T) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}
