import { countTests, failedFiles, listFailures, type TestReport } from './count-tests.ts'

/** What came of a suite. */
export interface Verdict {
  readonly passed: number
  readonly failed: number
  /** A line for each failure. */
  readonly failures: readonly string[]
  /** What was not looked at, and why. */
  readonly leftOut?: readonly string[]
  /** What a second try runs; undefined if there may be none. */
  readonly again?: SecondTry
}

interface SecondTry {
  /** The whole suite if there are none. */
  readonly files: readonly string[]
  /** How many tests passed in files that do not run again. */
  readonly passedElsewhere: number
}

/** What Vitest left of a run. */
export interface VitestRun {
  readonly report: TestReport | undefined
  readonly exitCode: number
  /** Errors outside of tests. */
  readonly outside: readonly string[]
}

const whole: SecondTry = { files: [], passedElsewhere: 0 }

// More failing files than this are no accident.
const mostAgain = 15

/**
 * Judges a run of Vitest. Errors outside of tests fail it in any case: nobody knows which test they belong to, so no
 * second try could show that they are gone.
 */
export function judgeVitest(name: string, { report, exitCode, outside }: VitestRun): Verdict {
  if (report === undefined) {
    return { passed: 0, failed: 1, failures: [`${name}: ended with ${exitCode} before it could report`], again: whole }
  }
  const counts = countTests({ report, exitCode: 0 })
  const failures = [
    ...listFailures(report).map((line) => `${name}: ${line}`),
    ...outside.map((line) => `${name}: OUTSIDE OF TESTS: ${line}`),
  ]
  const failed = counts.failed + outside.length
  // Something went wrong that nothing of the above tells, such as an error while everything was stopped.
  if (failed === 0 && exitCode !== 0) {
    return { ...counts, failed: 1, failures: [`${name}: ended with ${exitCode}, though no test failed`] }
  }
  const files = failedFiles(report)
  if (failed === 0 || outside.length > 0 || files.length === 0 || files.length > mostAgain) {
    return { passed: counts.passed, failed, failures }
  }
  // What looks at the suite as a whole needs the whole of it.
  const needsWhole = files.some((file) => file.includes('.last.test.'))
  const others = { testResults: report.testResults.filter(({ status }) => status !== 'failed') }
  const again = needsWhole ? whole : { files, passedElsewhere: countTests({ report: others, exitCode: 0 }).passed }
  return { passed: counts.passed, failed, failures, again }
}

/** Judges a program by its last line: `N passed, N failed`, or the one of the corpus. */
export function judgeProgram(name: string, printed: string, exitCode: number): Verdict {
  const lines = printed.trimEnd().split('\n')
  const last = lines.at(-1) ?? ''
  const counted = /^(\d+) passed, (\d+) failed$/.exec(last)
  const corpus = /^(\d+) tried, \d+ converted, (\d+) worse than bare$/.exec(last)
  const marked = lines.filter((line) => /^(FAILED|WORSE) /.test(line)).map((line) => `${name}: ${line.slice(0, 300)}`)
  if (!counted && !corpus) {
    return { passed: 0, failed: 1, failures: [...marked, `${name}: ended with ${exitCode} before it could count`] }
  }
  const failed = Number(counted?.[2] ?? corpus?.[2])
  const passed = counted ? Number(counted[1]) : Number(corpus?.[1]) - failed
  if (failed === 0 && exitCode !== 0) {
    return { passed, failed: 1, failures: [`${name}: ended with ${exitCode}, though it counted no failure`] }
  }
  const leftOut = lines.flatMap((line) => /^LEFT OUT:? (.*)/.exec(line)?.[1] ?? []).map((why) => `${name}: ${why}`)
  const failures = failed > 0 && marked.length === 0 ? [`${name}: ${last}`] : marked
  return { passed, failed, failures, leftOut }
}

/** The verdict of a suite of which a part, or all, ran a second time. */
export function afterSecondTry(first: Verdict, second: Verdict): Verdict {
  return { ...second, passed: (first.again?.passedElsewhere ?? 0) + second.passed }
}
