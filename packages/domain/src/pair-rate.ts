/** How tasks of a pair of formats ended on this instance in the last 30 days. */
export interface PairRate {
  readonly operation: string
  readonly from: string
  readonly to: string
  readonly completed: number
  readonly failed: number
  /** Engine time; null if too few tasks were measured. */
  readonly medianMs: number | null
}
