/** Adds the steps of a task's plans up to one share. */
export interface PlanProgress {
  /**
   * Begins a plan whose steps weigh so much. One that may plan on leaves room for what follows, as if that were one
   * more step: nobody knows yet.
   */
  begin(weights: readonly number[], mayPlanOn: boolean): void
  /** Tells how much of a step is done. */
  tell(step: number, share: number): void
}

/** Makes progress that never goes back, told to `report` as a share from 0 to 1. */
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
