import { describe, expect, it } from 'vitest'
import { afterSecondTry, judgeProgram, judgeVitest } from './judge-suite.ts'

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, at) => ({
    status,
    fullName: `test ${at}`,
    failureMessages: status === 'failed' ? ['it broke'] : null,
  })),
})
const green = { testResults: [file('a.test.ts', 'passed', 'passed')] }
const mixed = { testResults: [file('a.test.ts', 'passed', 'passed'), file('b.test.ts', 'passed', 'failed')] }
const judge = (report: typeof mixed | undefined, exitCode: number, outside: readonly string[] = []) =>
  judgeVitest('int', { report, exitCode, outside })

describe('judgeVitest', () => {
  it('counts a run in which all passed', () => {
    expect(judge(green, 0)).toEqual({ passed: 2, failed: 0, failures: [] })
  })

  it('names what failed, and runs its files a second time', () => {
    expect(judge(mixed, 1)).toEqual({
      ...{ passed: 3, failed: 1, failures: ['int: b.test.ts: test 1: it broke'] },
      again: { files: ['b.test.ts'], passedElsewhere: 2 },
    })
  })

  it('names each error outside of tests, which no second try excuses', () => {
    const verdict = judge(mixed, 1, ['Error: lost, at a.ts:3'])
    expect(verdict).toMatchObject({
      failed: 2,
      failures: expect.arrayContaining(['int: OUTSIDE OF TESTS: Error: lost, at a.ts:3']),
    })
    expect(verdict.again).toBeUndefined()
    expect(judge(green, 1, ['Error: lost'])).toMatchObject({ passed: 2, failed: 1 })
  })

  it('fails a run that ended with an error though no test failed', () => {
    expect(judge(green, 1)).toEqual({ passed: 2, failed: 1, failures: ['int: ended with 1, though no test failed'] })
  })

  it('runs a suite that was ended before it could report as a whole', () => {
    expect(judge(undefined, 143)).toMatchObject({ passed: 0, failed: 1, again: { files: [], passedElsewhere: 0 } })
  })

  it('runs the whole suite again for a test that looks at the suite as a whole', () => {
    const report = { testResults: [file('a.test.ts', 'passed'), file('routes.last.test.ts', 'failed')] }
    expect(judge(report, 1).again).toEqual({ files: [], passedElsewhere: 0 })
  })

  it('does not try again if many files fail', () => {
    const report = { testResults: Array.from({ length: 16 }, (_, n) => file(`${n}.test.ts`, 'failed')) }
    const verdict = judge(report, 1)
    expect(verdict.failed).toBe(16)
    expect(verdict.again).toBeUndefined()
  })
})

describe('judgeProgram', () => {
  it('reads the count of the last line, and what was marked as failed or left out', () => {
    expect(judgeProgram('soak', 'x\nFAILED a: b\nLEFT OUT: there is no c\n2 passed, 1 failed\n', 1)).toEqual({
      ...{ passed: 2, failed: 1, failures: ['soak: FAILED a: b'], leftOut: ['soak: there is no c'] },
    })
    expect(judgeProgram('soak', '2 passed, 1 failed\n', 1).failures).toEqual(['soak: 2 passed, 1 failed'])
  })

  it('reads the count of the corpus', () => {
    expect(judgeProgram('corpus', 'WORSE a\n9 tried, 8 converted, 1 worse than bare\n', 1)).toMatchObject({
      ...{ passed: 8, failed: 1, failures: ['corpus: WORSE a'] },
    })
  })

  it('fails a program that ends before it counts, or with an error that it did not count', () => {
    expect(judgeProgram('soak', 'Error: no stack\n', 1)).toMatchObject({ passed: 0, failed: 1 })
    expect(judgeProgram('soak', '2 passed, 0 failed\n', 7)).toMatchObject({ passed: 2, failed: 1 })
  })
})

describe('afterSecondTry', () => {
  it('counts what did not run again as before, and the rest as it ended the second time', () => {
    const second = judge({ testResults: [file('b.test.ts', 'passed', 'passed')] }, 0)
    expect(afterSecondTry(judge(mixed, 1), second)).toEqual({ passed: 4, failed: 0, failures: [] })
  })

  it('fails what failed again', () => {
    const second = judge({ testResults: [file('b.test.ts', 'passed', 'failed')] }, 1)
    expect(afterSecondTry(judge(mixed, 1), second)).toMatchObject({ passed: 3, failed: 1 })
    expect(afterSecondTry(judge(mixed, 1), judge(undefined, 124))).toMatchObject({ passed: 2, failed: 1 })
  })
})
