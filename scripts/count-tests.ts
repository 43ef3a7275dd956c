// Prints "passed failed" for one run of Vitest: count-tests.ts REPORT.json EXIT_CODE
import { readFileSync } from 'node:fs'
import { countTests, type TestReport } from './count-tests/count-tests.ts'

const [file = '', exitCode = '1'] = process.argv.slice(2)
const { passed, failed } = countTests(readReport(file), Number(exitCode))
console.log(`${passed} ${failed}`)

function readReport(path: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // A run that was killed leaves no report or half of one: countTests counts that as a failure.
    return undefined
  }
}
