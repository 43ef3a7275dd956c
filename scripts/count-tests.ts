// Prints "passed failed" for one run of Vitest, and a line for each failure: count-tests.ts REPORT.json EXIT_CODE
import { readFileSync } from 'node:fs'
import { countTests, type TestReport, tellFailures } from './count-tests/count-tests.ts'

const [file = '', exitCode = '1'] = process.argv.slice(2)
const report = readReport(file)
const { passed, failed } = countTests(report, Number(exitCode))
console.log([`${passed} ${failed}`, ...tellFailures(report)].join('\n'))

function readReport(path: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // A run that was killed leaves no report or half of one: countTests counts that as a failure.
    return undefined
  }
}
