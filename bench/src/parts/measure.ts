/** One figure of a bench, with its goal. */
export interface Measure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The figure to reach; null if the measure is only for comparison. */
  readonly goal: number | null
  readonly ok: boolean
}

/** A figure for which larger is better. */
export function atLeast(name: string, value: number, unit: string, goal: number): Measure {
  return { name, value: rounded(value), unit, goal: rounded(goal), ok: value >= goal }
}

/** A figure for which smaller is better. */
export function atMost(name: string, value: number, unit: string, goal: number): Measure {
  return { name, value: rounded(value), unit, goal: rounded(goal), ok: value <= goal }
}

/** A figure without a goal. */
export function figure(name: string, value: number, unit: string): Measure {
  return { name, value: rounded(value), unit, goal: null, ok: true }
}

/** Machines read stdout: one JSON line per measure. */
export function report(measures: readonly Measure[]): void {
  for (const measure of measures) process.stdout.write(`${JSON.stringify(measure)}\n`)
}

/** People read stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** The median of some figures: one disturbed round does not change it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
