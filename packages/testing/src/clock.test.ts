import { expect, it } from 'vitest'
import { createTestClock } from './clock.ts'

it('stops until it is moved', () => {
  const clock = createTestClock(new Date('2026-03-01T12:00:00Z'))
  clock.advance(0)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:00:00Z'))
  clock.advance(90_000)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:01:30Z'))
})
