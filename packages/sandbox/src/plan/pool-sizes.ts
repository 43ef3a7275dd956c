import type { RunnerName } from '@lathe/engines'

/** The runners that wait for their owner's next file. A browser is ended after each. */
export type KeptRunner = Exclude<RunnerName, 'browser'>

/** What this machine has for warm runners. */
export interface PoolRoom {
  /** Engines running at once, whatever they are. */
  readonly engineTasks: number
  readonly memoryBytes: number
  /** The most memory an instance of each runner holds while it waits: one that holds more is replaced. */
  readonly keepBytes: Readonly<Record<KeptRunner, number>>
}

// Engines at work take the rest, besides the service itself.
const shareForWaiting = 0.5

/**
 * How many instances each runner may have: one more than can be busy, so that a spare is there for whoever comes next,
 * but no more than fit into half of the memory while they wait. Every runner has one, however small the machine.
 */
export function poolSizes({ engineTasks, memoryBytes, keepBytes }: PoolRoom): Readonly<Record<KeptRunner, number>> {
  const sizes = { vips: 1, office: 1 }
  let left = memoryBytes * shareForWaiting - keepBytes.vips - keepBytes.office
  for (let more = engineTasks; more > 0; more -= 1) {
    // The lighter one first: where only some fit, they are the most.
    for (const name of ['vips', 'office'] as const) {
      if (keepBytes[name] > left) continue
      left -= keepBytes[name]
      sizes[name] += 1
    }
  }
  return sizes
}
