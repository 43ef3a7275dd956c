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

/** A run of Vitest: its report, if there is one, and its exit code. */
export interface Run {
  readonly report: TestReport | undefined
  readonly exitCode: number
}

/**
 * Counts a run so that nothing broken looks green: a file that could not be loaded, an error outside any test, a run
 * without a report and a run without a single test are failures too.
 */
export function countTests({ report, exitCode }: Run): { passed: number; failed: number } {
  if (report === undefined) return { passed: 0, failed: 1 }
  const all = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = all.filter(({ status }) => status === 'passed').length
  const failed = all.filter(({ status }) => status === 'failed').length + report.testResults.filter(isBroken).length
  const isSilentFailure = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: isSilentFailure ? 1 : failed }
}

/** The files with failures. */
export function failedFiles(report: TestReport | undefined): readonly string[] {
  return (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name)
}

/** A line for each failed test and for each file that could not be loaded: what readers of a long log look for. */
export function listFailures(report: TestReport | undefined): readonly string[] {
  return (report?.testResults ?? []).flatMap((file) => [
    ...(isBroken(file) ? [`${file.name}: ${firstLine(file.message)}`] : []),
    ...file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${file.name}: ${fullName}: ${firstLine(failureMessages?.[0])}`),
  ])
}

/** Whether the file failed without any failed test: it could not be loaded or set up. */
function isBroken({ status, assertionResults }: FileReport): boolean {
  return status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed')
}

function firstLine(text = ''): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300)
}
