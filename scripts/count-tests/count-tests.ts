/** The part of Vitest's JSON report that is counted. */
export interface TestReport {
  readonly testResults: readonly FileReport[]
}

interface FileReport {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly {
    readonly status: string
    readonly fullName: string
    readonly failureMessages: readonly string[] | null
  }[]
}

/** A run of Vitest: what it reported, if it came so far, and how it ended. */
export interface Run {
  readonly report: TestReport | undefined
  readonly exitCode: number
}

/**
 * Counts a run so that nothing broken can pass for green: a file that could not be loaded, an error
 * outside any test, a run without a report and a run without a single test are failures too.
 */
export function countTests({ report, exitCode }: Run): { passed: number; failed: number } {
  if (report === undefined) return { passed: 0, failed: 1 }
  const all = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = all.filter(({ status }) => status === 'passed').length
  const failed = all.filter(({ status }) => status === 'failed').length + report.testResults.filter(isBroken).length
  const isSilentFailure = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: isSilentFailure ? 1 : failed }
}

/** The files in which something failed. */
export function failedFiles(report: TestReport | undefined): readonly string[] {
  return (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name)
}

/** A run in which the files that failed were run again: what they did then counts, whatever they did first. */
export function withSecondTry(first: Run, again: Run): Run {
  if (first.report === undefined || again.report === undefined) return first
  const failed = new Set(failedFiles(first.report))
  const kept = first.report.testResults.filter(({ name }) => !failed.has(name))
  return { report: { testResults: [...kept, ...again.report.testResults] }, exitCode: again.exitCode }
}

/** A line for each test that failed, and for each file that could not be loaded: what a reader of a long log looks for. */
export function tellFailures(report: TestReport | undefined): readonly string[] {
  return (report?.testResults ?? []).flatMap((file) => [
    ...(isBroken(file) ? [`${file.name}: ${firstLine(file.message)}`] : []),
    ...file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${file.name}: ${fullName}: ${firstLine(failureMessages?.[0])}`),
  ])
}

/** Whether the file failed without any of its tests: it could not be loaded, or be made ready. */
function isBroken({ status, assertionResults }: FileReport): boolean {
  return status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed')
}

function firstLine(text = ''): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300)
}
