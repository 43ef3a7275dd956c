import { describe, expect, it } from 'vitest'
import { countTests, type TestReport, tellFailures } from './count-tests.ts'

const file = (...statuses: string[]) => ({
  name: 'a.test.ts',
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, at) => ({
    status,
    fullName: `test ${at}`,
    failureMessages: status === 'failed' ? ['it broke\nat line 3'] : null,
  })),
})
const broken = { name: 'b.test.ts', status: 'failed', message: 'no such import', assertionResults: [] }
const green = { numPassedTests: 2, numFailedTests: 0, testResults: [file('passed', 'passed')] }

describe('countTests', () => {
  it('counts passed and failed tests', () => {
    const report = { numPassedTests: 2, numFailedTests: 1, testResults: [file('passed'), file('passed', 'failed')] }
    expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1 })
    expect(countTests(green, 0)).toEqual({ passed: 2, failed: 0 })
  })

  it('counts a file that could not be loaded', () => {
    expect(countTests({ ...green, testResults: [...green.testResults, broken] }, 1)).toEqual({ passed: 2, failed: 1 })
  })

  it('counts an error outside any test', () => {
    expect(countTests(green, 1)).toEqual({ passed: 2, failed: 1 })
  })

  it('does not take a run without tests or without a report for a success', () => {
    expect(countTests({ numPassedTests: 0, numFailedTests: 0, testResults: [] }, 0).failed).toBe(1)
    expect(countTests(undefined, 0).failed).toBe(1)
  })
})

describe('tellFailures', () => {
  it('names each failed test and each file that could not be loaded, with the first line of why', () => {
    const report = { ...green, testResults: [file('passed', 'failed'), file('passed'), broken] }
    expect(tellFailures(report)).toEqual(['a.test.ts: test 1: it broke', 'b.test.ts: no such import'])
    expect(tellFailures(undefined)).toEqual([])
  })

  it('names what passed only when it was tried again', () => {
    const [flaky] = file('failed').assertionResults
    const report = { ...green, testResults: [{ ...file(), assertionResults: [{ ...flaky, status: 'passed' }] }] }
    expect(tellFailures(report as TestReport)).toEqual(['PASSED WHEN TRIED AGAIN a.test.ts: test 0: it broke'])
  })
})
