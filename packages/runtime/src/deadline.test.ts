import { expect, it } from 'vitest'
import { DeadlineExceeded, withDeadline } from './deadline.ts'

it('gives the result of work that is done in time', async () => {
  expect(await withDeadline(Promise.resolve(7), 1000)).toBe(7)
})

it('stops waiting for work that takes too long', async () => {
  await expect(withDeadline(new Promise(() => undefined), 5)).rejects.toBeInstanceOf(DeadlineExceeded)
})
