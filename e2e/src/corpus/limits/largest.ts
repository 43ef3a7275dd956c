import { allLimits } from '../../../../scripts/generate/limits/all-limits.ts'
import type { Measure } from '../../../../scripts/generate/limits/limit.ts'

/** A measured value and its file. */
export interface Found {
  readonly value: number
  readonly file: string
}

/** The extreme values of one measure. */
export interface Extremes {
  /** The largest value up to the limit. */
  readonly largest?: Found
  /** Files beyond the limit, or whose headers claim so. */
  readonly beyond: readonly Found[]
}

/** Results by measure. */
export type Measured = Partial<Record<Measure, Extremes>>

const limits = new Map(
  allLimits
    .flatMap((group) => group.limits)
    .flatMap(({ real, value }) => (typeof real === 'string' ? [[real, value.number] as const] : [])),
)

/** Keeps the largest value of each measure. */
export class LargestOfEach {
  readonly found: Measured = {}
  readonly #unread: ReadonlySet<string>

  /** Headers of files that no program could convert may claim anything: these count only beyond the limit. */
  constructor(unread: ReadonlySet<string> = new Set()) {
    this.#unread = unread
  }

  /** Counts a value; ignores an unknown one. */
  count(measure: Measure, value: number | undefined, file: string): void {
    if (value === undefined || !(value > 0)) return
    const { largest, beyond } = this.found[measure] ?? { beyond: [] }
    const isBeyond = value > (limits.get(measure) ?? Number.POSITIVE_INFINITY)
    const isKnown = beyond.some((one) => one.file === file)
    const isLargest = !isBeyond && !this.#unread.has(file) && value > (largest?.value ?? 0)
    if (!isLargest && !isBeyond) return
    const most = isLargest ? { value, file } : largest
    this.found[measure] = {
      ...(most && { largest: most }),
      beyond: isBeyond && !isKnown ? [...beyond, { value, file }] : beyond,
    }
  }
}
