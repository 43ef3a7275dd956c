import { describe, expect, it } from 'vitest'
import { allowanceOf, minutesTaken } from './quota.ts'

describe('the allowance of a task', () => {
  it.each([
    [null, null, undefined],
    [5000, null, { ms: 5000, code: 'out_of_minutes' }],
    [null, 60_000, { ms: 60_000, code: 'out_of_minutes_per_task' }],
    [5000, 60_000, { ms: 5000, code: 'out_of_minutes' }],
    [90_000, 60_000, { ms: 60_000, code: 'out_of_minutes_per_task' }],
    [0, 60_000, { ms: 0, code: 'out_of_minutes' }],
    [-1, null, { ms: 0, code: 'out_of_minutes' }],
  ])('with %s ms left of the month and %s of the task is %o', (monthMs, taskMs, expected) => {
    expect(allowanceOf('process', { monthMs, taskMs })).toEqual(expected)
  })

  it.each(['import', 'export'] as const)('of an %s is none: no engine works', (kind) => {
    expect(allowanceOf(kind, { monthMs: 0, taskMs: 1 })).toBeUndefined()
  })
})

describe('the minutes that an end uses', () => {
  const running = { kind: 'process', status: 'processing', engineMs: 1234 } as const

  it.each([undefined, 'engine_timeout', 'input_damaged', 'out_of_minutes'] as const)(
    'is the time of the attempt when the cause is %s',
    (cause) => expect(minutesTaken(running, cause)).toBe(1234),
  )

  it('is zero for internal failures, if nothing ran, and if no engine was needed', () => {
    expect(minutesTaken(running, 'internal')).toBe(0)
    expect(minutesTaken({ ...running, status: 'created' }, 'input_failed')).toBe(0)
    expect(minutesTaken({ ...running, kind: 'import' }, undefined)).toBe(0)
  })
})
