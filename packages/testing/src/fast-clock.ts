/**
 * Makes the timers and `performance.now()` of this process run faster, until it is disposed of: waits of minutes take
 * seconds, in the same order and proportion. Node's own timers, such as those of sockets, stay as they are.
 */
export function startFastClock(factor: number): Disposable {
  const { setTimeout: realTimeout, performance } = globalThis
  const realNow = performance.now
  const startedAt = realNow.call(performance)
  const fast = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => realTimeout(act, ms / factor, ...args)
  globalThis.setTimeout = Object.assign(fast, realTimeout) as typeof setTimeout
  performance.now = () => startedAt + (realNow.call(performance) - startedAt) * factor
  return {
    [Symbol.dispose]() {
      globalThis.setTimeout = realTimeout
      performance.now = realNow
    },
  }
}
