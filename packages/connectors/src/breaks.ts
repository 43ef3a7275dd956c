import { setTimeout as wait } from 'node:timers/promises'
import { TransferFailed } from '@lathe/outbound'

/** How often one transfer may resume. */
const maxBreaks = 8
const maxFruitless = 2
/** A connection that transfers less than this counts as fruitless. */
const leastGain = 256 * 1024
const firstWaitMs = 250

/** Counts the breaks of one transfer. */
export interface Breaks {
  /** Resolves when the transfer may resume from the byte reached. Throws the error when the attempts are used up. */
  survive(error: unknown, reached: number): Promise<void>
}

/**
 * A transfer that broke off resumes where it was, as long as each connection makes progress. The third one in a row
 * that transfers almost nothing fails the transfer, and leaves the rest to the next attempt of the task.
 */
export function createBreaks(signal: AbortSignal): Breaks {
  let breaks = 0
  let fruitless = 0
  let best = 0
  return {
    async survive(error, reached) {
      signal.throwIfAborted()
      if (!(error instanceof TransferFailed) || error.failure.code !== 'source_unreachable') throw error
      breaks += 1
      fruitless = reached - best >= leastGain ? 0 : fruitless + 1
      best = Math.max(best, reached)
      if (breaks > maxBreaks || fruitless > maxFruitless) throw error
      if (fruitless > 0) await wait(firstWaitMs * fruitless, undefined, { signal })
    },
  }
}
