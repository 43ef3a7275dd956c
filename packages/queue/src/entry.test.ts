import { expect, it } from 'vitest'
import { entryId, priorityOf } from './entry.ts'

const task = '0123456789abcdef01234567'

it('names an entry by task and attempt, and by step past the first', () => {
  expect(entryId({ task, attempt: 2, step: 0 })).toBe(`t${task}-2`)
  expect(entryId({ task, attempt: 2, step: 1 })).toBe(`t${task}-2-1`)
})

it('F: puts an owner’s first task before the second of another, and starves no task', () => {
  const now = Date.UTC(2026, 10, 16)
  expect(priorityOf(1, now)).toBeLessThan(priorityOf(2, now))
  expect(priorityOf(1, now + 30_000)).toBeLessThan(priorityOf(2, now))
  expect(priorityOf(1, now + 600_000)).toBeGreaterThan(priorityOf(10, now))
  expect(priorityOf(1, now)).toBeGreaterThan(0)
  expect(priorityOf(10_000, now)).toBeLessThan(2 ** 21)
})
