import { conclude } from '../command.ts'
import type { Phase } from './book.ts'
import { judge, renderTable } from './judge.ts'

export interface Outcome {
  readonly phases: readonly Phase[]
  /** Faults of the service as a whole. */
  readonly faults: readonly string[]
  readonly judgesTime: boolean
}

// The first of a kind are shown; the rest is only counted.
const mostShown = 10

/** Prints the figures of each phase, the faults, and the totals. */
export function report({ phases, faults, judgesTime }: Outcome): void {
  const verdicts = judge(phases, { judgesTime })
  console.log(renderTable(verdicts.map(({ cells }) => cells)))
  for (const { phase, faults: found } of verdicts) tell(phase, found)
  tell('the whole', faults)
  const good = verdicts.filter(({ faults: found }) => found.length === 0).length + (faults.length === 0 ? 1 : 0)
  const sum = (of: 'jobs' | 'videos' | 'failed' | 'rejected') =>
    phases.reduce((total, phase) => total + phase[of].length, 0)
  const worst = Math.max(...verdicts.filter((_, n) => phases[n]?.kind === 'mixed').map(({ ratio }) => ratio))
  console.log(
    `upgrade rehearsal: ${sum('jobs')} jobs and ${sum('videos')} videos completed, ${sum('failed')} failed, ${sum('rejected')} requests rejected, p95 at most ${worst.toFixed(2)}× of solo`,
  )
  conclude(good, verdicts.length + 1 - good)
}

function tell(phase: string, faults: readonly string[]): void {
  for (const fault of faults.slice(0, mostShown)) console.log(`FAILED ${phase}: ${fault}`)
  if (faults.length > mostShown) console.log(`FAILED ${phase}: and ${faults.length - mostShown} more`)
}
