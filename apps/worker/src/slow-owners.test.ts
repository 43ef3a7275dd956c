import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSlowOwners } from './slow-owners.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('F: an owner of two slow tasks, or of one that was stopped, counts as slow for ten minutes', async () => {
  const owners = createSlowOwners()
  owners.note('a')
  expect(owners.has('a')).toBe(false)
  owners.note('a')
  owners.note('b', 2)
  expect([owners.has('a'), owners.has('b'), owners.has('c')]).toEqual([true, true, false])
  await vi.advanceTimersByTimeAsync(599_000)
  expect(owners.has('a')).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(owners.has('a')).toBe(false)
})
