import { createTestClock } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createCountCache } from './count-cache.ts'

it('keeps a large total for five seconds, each under its own key (C6) [D-http-41]', async () => {
  const clock = createTestClock(new Date())
  const counts = createCountCache(clock)
  expect(await counts('a', async () => 10_000)).toBe(10_000)
  expect(await counts('a', async () => 10_001)).toBe(10_000)
  expect(await counts('b', async () => 20_000)).toBe(20_000)
  clock.advance(5_001)
  expect(await counts('a', async () => 10_001)).toBe(10_001)
})

it('counts a small total each time (C6)', async () => {
  const counts = createCountCache(createTestClock(new Date()))
  expect(await counts('a', async () => 9_999)).toBe(9_999)
  expect(await counts('a', async () => 3)).toBe(3)
})
