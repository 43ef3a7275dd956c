// Reads Vitest reports.
//   count-tests.ts count REPORT EXIT_CODE [REPORT EXIT_CODE]   prints "passed failed"; the second run is of the failed files
//   count-tests.ts files REPORT                                prints the files with failures
//   count-tests.ts failures REPORT                             prints a line for each failure
import { readFileSync } from 'node:fs'
import {
  countTests,
  failedFiles,
  listFailures,
  type Run,
  type TestReport,
  withSecondTry,
} from './count-tests/count-tests.ts'

const [verb, file = '', exitCode, againFile, againCode] = process.argv.slice(2)
if (verb === 'files') print(failedFiles(readReport(file)))
else if (verb === 'failures') print(listFailures(readReport(file)))
else {
  const first = readRun(file, exitCode)
  const { passed, failed } = countTests(againFile ? withSecondTry(first, readRun(againFile, againCode)) : first)
  print([`${passed} ${failed}`])
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line)
}

function readRun(path: string, code = '1'): Run {
  return { report: readReport(path), exitCode: Number(code) }
}

function readReport(path: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // A killed run leaves no report or half of one: countTests counts that as a failure.
    return undefined
  }
}
