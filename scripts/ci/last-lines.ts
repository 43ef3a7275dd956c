import type { Verdict } from './judge-suite.ts'

export interface Results {
  readonly verdicts: readonly Verdict[]
  /** What failed at first and ran a second time. */
  readonly repeated: readonly string[]
  /** Why the run ended early, if it did: then it has not passed, whatever it counted so far. */
  readonly brokenOff?: string | undefined
}

/** The last lines of a run: what was not looked at, what ran twice, what failed, and the count. */
export function lastLines({ verdicts, repeated, brokenOff }: Results): readonly string[] {
  const passed = sum(verdicts.map((verdict) => verdict.passed))
  const failed = sum(verdicts.map((verdict) => verdict.failed)) + (brokenOff === undefined ? 0 : 1)
  return [
    ...verdicts.flatMap(({ leftOut = [] }) => leftOut).map((line) => `LEFT OUT ${line}`),
    ...repeated.map((line) => `REPEATED ${line}`),
    ...verdicts.flatMap(({ failures }) => failures).map((line) => `FAILED ${line}`),
    ...(brokenOff === undefined ? [] : [`FAILED ${brokenOff}`]),
    `${passed} passed, ${failed} failed`,
  ]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
