/** One figure of a bench, with what it is held against. */
export interface Measure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The figure to reach; null where a measure is only there to compare with. */
  readonly goal: number | null
  readonly ok: boolean
}

/** A figure that is better the larger it is. */
export function atLeast(name: string, value: number, unit: string, goal: number): Measure {
  return { name, value: rounded(value), unit, goal: rounded(goal), ok: value >= goal }
}

/** A figure that is better the smaller it is. */
export function atMost(name: string, value: number, unit: string, goal: number): Measure {
  return { name, value: rounded(value), unit, goal: rounded(goal), ok: value <= goal }
}

/** A figure without a goal of its own. */
export function figure(name: string, value: number, unit: string): Measure {
  return { name, value: rounded(value), unit, goal: null, ok: true }
}

/** Machines read stdout, one JSON line a measure. */
export function report(measures: readonly Measure[]): void {
  for (const measure of measures) process.stdout.write(`${JSON.stringify(measure)}\n`)
}

/** People read stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** The middle of some figures: one disturbed round does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
