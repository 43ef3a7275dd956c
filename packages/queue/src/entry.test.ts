import { expect, it } from 'vitest'
import { entryId } from './entry.ts'

const task = '0123456789abcdef01234567'

it('names an entry by task and attempt, and by step past the first', () => {
  expect(entryId({ task, attempt: 2, step: 0 })).toBe(`t${task}-2`)
  expect(entryId({ task, attempt: 2, step: 1 })).toBe(`t${task}-2-1`)
})
