import type { Runner } from '@lathe/engines'

/** What this machine has for warm runners. */
export interface PoolRoom {
  /** Engines running at once, whatever they are. */
  readonly engineTasks: number
  readonly memoryBytes: number
  /** The runners that share it, by name. */
  readonly runners: Readonly<Record<string, Pick<Runner, 'serves' | 'keepBytes'>>>
}

// Engines at work take the rest, besides the service itself.
const shareForWaiting = 0.5

// Of those that serve one call: more gain little, since starting one takes as long as many calls.
const mostForOneCall = 2

/**
 * How many instances of each runner may wait: one more than can be busy, so that a spare is there for whoever comes next,
 * but no more than fit into half of the memory. Of those that are kept there is one, however small the machine; of those
 * that serve one call two wait at most, where there is memory left.
 */
export function poolSizes({ engineTasks, memoryBytes, runners }: PoolRoom): Readonly<Record<string, number>> {
  // The lighter one first: where only some fit, they are the most.
  const sorted = Object.entries(runners).sort(([, one], [, other]) => one.keepBytes - other.keepBytes)
  const kept = sorted.filter(([, { serves }]) => serves === 'owner')
  const sizes = new Map(kept.map(([name]) => [name, 1]))
  let left = memoryBytes * shareForWaiting
  for (const [, { keepBytes }] of kept) left -= keepBytes
  for (let more = engineTasks; more > 0; more -= 1) {
    for (const [name, { keepBytes }] of kept) {
      if (keepBytes > left) continue
      left -= keepBytes
      sizes.set(name, (sizes.get(name) ?? 0) + 1)
    }
  }
  for (const [name, { serves, keepBytes }] of sorted) {
    if (serves === 'owner') continue
    const size = Math.min(mostForOneCall, engineTasks, Math.max(Math.floor(left / keepBytes), 0))
    left -= size * keepBytes
    sizes.set(name, size)
  }
  return Object.fromEntries(sizes)
}
