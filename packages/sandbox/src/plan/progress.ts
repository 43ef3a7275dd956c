/** Combines the progress of the steps of a task's plans into one share. */
export interface PlanProgress {
  /**
   * Begins a plan whose steps have these weights. A plan that may be followed by another reserves one more step for it,
   * since its weight is not known yet.
   */
  begin(weights: readonly number[], mayPlanOn: boolean): void
  /** Reports how much of a step is done. */
  tell(step: number, share: number): void
}

/** Creates progress that never goes back, and reports it to `report` as a share from 0 to 1. */
export function createProgress(report: (share: number) => void): PlanProgress {
  let weights: readonly number[] = []
  let start = 0
  let room = 1
  let reported = 0
  return {
    begin(next, mayPlanOn) {
      start = reported
      weights = next
      const own = sum(next)
      room = (1 - start) * (mayPlanOn ? own / (own + 1) : 1)
    },
    tell(step, share) {
      const total = sum(weights)
      if (total === 0) return
      const done = (sum(weights.slice(0, step)) + (weights[step] ?? 0) * Math.min(Math.max(share, 0), 1)) / total
      const overall = start + room * done
      if (overall <= reported) return
      reported = overall
      report(overall)
    },
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
