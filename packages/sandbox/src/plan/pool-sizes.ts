import type { Runner } from '@lathe/engines'

/** The resources of this machine for warm runners. */
export interface PoolRoom {
  /** Engines of any kind that run at once. */
  readonly engineTasks: number
  readonly memoryBytes: number
  /** The runners that share the memory, by name. */
  readonly runners: Readonly<Record<string, Pick<Runner, 'serves' | 'keepBytes'>>>
}

// Working engines and the service itself use the rest.
const shareForWaiting = 0.5

// For runners that serve one call. More gain little, since starting one takes as long as many calls.
const mostForOneCall = 2

/**
 * How many instances of each runner may exist: one more than can be busy, so that a spare is ready for the next owner,
 * but no more than fit into half of the memory. A runner that is kept for its owner has at least one, however small the
 * machine. A runner that serves one call has at most two, if memory remains.
 */
export function poolSizes({ engineTasks, memoryBytes, runners }: PoolRoom): Readonly<Record<string, number>> {
  // The lighter runners come first: if not all fit, this gives the most instances.
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
