import { setTimeout as pause } from 'node:timers/promises'
import type { Logger, Metrics } from '@lathe/runtime'
import type { Duty } from './duties.ts'
import { hasEnded, type Leadership } from './leadership.ts'

const longestPauseMs = 30_000

/**
 * Runs every duty at its interval until the signal aborts. A duty that fails is retried with growing delays, and blocks
 * no other.
 */
export async function keepDuties(
  duties: readonly Duty[],
  leadership: Leadership,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): Promise<void> {
  const keep = (duty: Duty) =>
    keepDuty(duty, leadership, {
      log: log.child({ duty: duty.name }),
      noteFailure: () => metrics.dutyFailures.inc({ duty: duty.name }),
    })
  await Promise.all(duties.map(keep))
}

interface DutyNotes {
  readonly log: Logger
  noteFailure(): void
}

async function keepDuty(
  { everyMs, run }: Duty,
  { signal, isHeld }: Leadership,
  { log, noteFailure }: DutyNotes,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      // Checked right before the work: this process may have been frozen since the last check.
      const count = isHeld() ? await run() : 0
      failures = 0
      if (count > 0) log.debug({ count }, 'duty done')
    } catch (err) {
      failures += 1
      // If the term has ended, nothing went wrong, and nothing was done.
      if (!hasEnded(err)) {
        noteFailure()
        log.warn({ err }, 'duty failed')
      }
    }
    const backOff = failures > 0 ? Math.min(500 * 2 ** failures, longestPauseMs) : everyMs
    await pause(Math.min(backOff, everyMs), undefined, { signal }).catch(() => {})
  }
}
