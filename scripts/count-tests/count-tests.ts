/** The part of Vitest's JSON report that is counted. */
export interface TestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

/**
 * Counts a run so that nothing broken can pass for green: a file that could not be loaded, an error
 * outside any test, a run without a report and a run without a single test are failures too.
 */
export function countTests(report: TestReport | undefined, exitCode: number): { passed: number; failed: number } {
  if (report === undefined) return { passed: 0, failed: 1 }
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  )
  const failed = report.numFailedTests + brokenFiles.length
  const isSilentFailure = failed === 0 && (exitCode !== 0 || report.numPassedTests === 0)
  return { passed: report.numPassedTests, failed: isSilentFailure ? 1 : failed }
}

/**
 * A line for each test that failed or passed only when it was tried again, and for each file that could not be loaded:
 * what a reader of a long log looks for.
 */
export function tellFailures(report: TestReport | undefined): readonly string[] {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const isBroken = status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed')
    const faulty = assertionResults.filter(({ failureMessages }) => failureMessages?.length)
    return [
      ...(isBroken ? [`${name}: ${firstLine(message)}`] : []),
      ...faulty.map(({ fullName, status: end, failureMessages }) => {
        const second = end === 'passed' ? 'PASSED WHEN TRIED AGAIN ' : ''
        return `${second}${name}: ${fullName}: ${firstLine(failureMessages?.[0])}`
      }),
    ]
  })
}

function firstLine(text = ''): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300)
}
