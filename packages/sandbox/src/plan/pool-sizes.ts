import type { RunnerName } from '@lathe/engines'

/** What this machine has for warm runners. */
export interface PoolRoom {
  /** Engines running at once, whatever they are. */
  readonly engineTasks: number
  readonly memoryBytes: number
  /** The most memory an instance of each runner holds while it waits: one that holds more is replaced. */
  readonly keepBytes: Readonly<Record<RunnerName, number>>
}

// Engines at work take the rest, besides the service itself.
const shareForWaiting = 0.5

// Browsers that wait: more gain little, since starting one takes as long as many pages.
const mostBrowsers = 2

/**
 * How many instances of each runner may wait: one more than can be busy, so that a spare is there for whoever comes next,
 * but no more than fit into half of the memory. Of those that are kept there is one, however small the machine; a browser
 * is used once, and two wait at most where there is memory left.
 */
export function poolSizes({ engineTasks, memoryBytes, keepBytes }: PoolRoom): Readonly<Record<RunnerName, number>> {
  const sizes = { vips: 1, office: 1, browser: 0 }
  let left = memoryBytes * shareForWaiting - keepBytes.vips - keepBytes.office
  for (let more = engineTasks; more > 0; more -= 1) {
    // The lighter one first: where only some fit, they are the most.
    for (const name of ['vips', 'office'] as const) {
      if (keepBytes[name] > left) continue
      left -= keepBytes[name]
      sizes[name] += 1
    }
  }
  sizes.browser = Math.min(mostBrowsers, engineTasks, Math.max(Math.floor(left / keepBytes.browser), 0))
  return sizes
}
