import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@lathe/runtime'
import type { Duty } from './duties.ts'

const longestPauseMs = 30_000

/** Does every duty at its time until told to stop. A duty that fails is tried again, ever more slowly, and holds up no other. */
export async function keepDuties(duties: readonly Duty[], signal: AbortSignal, log: Logger): Promise<void> {
  await Promise.all(duties.map((duty) => keepDuty(duty, signal, log.child({ duty: duty.name }))))
}

async function keepDuty({ everyMs, run }: Duty, signal: AbortSignal, log: Logger): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      const count = await run()
      failures = 0
      if (count > 0) log.debug({ count }, 'duty done')
    } catch (err) {
      failures += 1
      log.warn({ err }, 'duty failed')
    }
    const backOff = failures > 0 ? Math.min(500 * 2 ** failures, longestPauseMs) : everyMs
    await pause(Math.min(backOff, everyMs), undefined, { signal }).catch(() => {})
  }
}
