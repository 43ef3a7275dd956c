import { setTimeout as wait } from 'node:timers/promises'
import { TransferFailed } from '@lathe/outbound'

/** How often one transfer is taken up again. */
const maxBreaks = 8
const maxFruitless = 2
/** A connection that brings less than this is no way to bring the rest. */
const leastGain = 256 * 1024
const firstWaitMs = 250

/** Counts the breaks of one transfer. */
export interface Breaks {
  /** Comes back when the transfer may go on from the byte reached; throws the error when it has had its chances. */
  survive(error: unknown, reached: number): Promise<void>
}

/**
 * A transfer that broke off goes on where it was, as long as each connection brings something: the third in a row
 * that brings next to nothing is the end of it, and leaves the rest to the next attempt of the task.
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
