import { type Pace, type Progress, paceAfter, toProgress } from '@lathe/domain'

/** At most one report in this time: engines report many times per second, more often than clients read it. */
const everyMs = 1000

/** Converts the shares that an engine reports to the progress that its owner sees. */
export function createProgressReport(
  tell: (progress: Progress) => void,
  monotonicNow: () => number = () => performance.now(),
): (share: number) => void {
  let pace: Pace | undefined
  return (share) => {
    const atMs = monotonicNow()
    // The numbers in an engine's output may come from a division by zero.
    if (!Number.isFinite(share)) return
    if (pace && atMs - pace.last.atMs < everyMs) return
    pace = paceAfter(pace, { share, atMs })
    tell(toProgress(pace))
  }
}
