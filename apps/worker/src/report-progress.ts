import { type Pace, type Progress, paceAfter, toProgress } from '@lathe/domain'

/** At most one report in this time: engines speak many times a second, and nobody looks as often. */
const everyMs = 1000

/** Turns the shares an engine reports into what its owner is told. */
export function createProgressReport(
  tell: (progress: Progress) => void,
  monotonicNow: () => number = () => performance.now(),
): (share: number) => void {
  let pace: Pace | undefined
  return (share) => {
    const atMs = monotonicNow()
    // What an engine prints may divide by a length of nothing.
    if (!Number.isFinite(share)) return
    if (pace && atMs - pace.last.atMs < everyMs) return
    pace = paceAfter(pace, { share, atMs })
    tell(toProgress(pace))
  }
}
