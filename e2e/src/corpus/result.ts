import type { Comparison } from './compare.ts'
import type { Outcome } from './outcome.ts'

/** One conversion of one real file, by the service and by the plain tool. */
export interface Result extends Comparison {
  readonly file: string
  readonly size: number
  /** Its extension, and the format that the service detects. */
  readonly ext: string
  readonly format: string
  readonly to: string
  readonly ours: Outcome
  readonly bare?: Outcome
  /** Whether both ran one after the other, so that their times can be compared. */
  readonly isTimed: boolean
}
