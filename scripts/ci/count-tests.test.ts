import { describe, expect, it } from 'vitest'
import { countTests, listFailures } from './count-tests.ts'

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, at) => ({
    status,
    fullName: `test ${at}`,
    failureMessages: status === 'failed' ? ['it broke\nat line 3'] : null,
  })),
})
const broken = { ...file('b.test.ts', 'skipped'), status: 'failed', message: 'no such import' }
const green = { testResults: [file('a.test.ts', 'passed', 'passed')] }
const mixed = { testResults: [file('a.test.ts', 'passed'), file('c.test.ts', 'passed', 'failed'), broken] }

describe('countTests', () => {
  it('counts passed and failed tests', () => {
    expect(countTests({ report: green, exitCode: 0 })).toEqual({ passed: 2, failed: 0 })
  })

  it('counts a file that could not be loaded or made ready', () => {
    expect(countTests({ report: mixed, exitCode: 1 })).toEqual({ passed: 2, failed: 2 })
  })

  it('counts an error outside any test', () => {
    expect(countTests({ report: green, exitCode: 1 })).toEqual({ passed: 2, failed: 1 })
  })

  it('does not take a run without tests or without a report for a success', () => {
    expect(countTests({ report: { testResults: [] }, exitCode: 0 }).failed).toBe(1)
    expect(countTests({ report: undefined, exitCode: 0 }).failed).toBe(1)
  })
})

describe('listFailures', () => {
  it('names each failed test and each file that could not be loaded, with the first line of why', () => {
    expect(listFailures(mixed)).toEqual(['c.test.ts: test 1: it broke', 'b.test.ts: no such import'])
    expect(listFailures(undefined)).toEqual([])
  })
})
