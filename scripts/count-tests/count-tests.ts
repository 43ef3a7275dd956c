/** The part of Vitest's JSON report that is counted. */
export interface TestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
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
