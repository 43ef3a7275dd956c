import { expect, it } from 'vitest'
import { createSpeed } from './create-speed.ts'

it('the speed is known after a second, follows changes slowly, and survives a transfer that starts again', () => {
  const measure = createSpeed()
  expect([measure(0, 0), measure(500, 500), measure(1000, 1000)]).toEqual([undefined, undefined, 1000])
  expect(measure(1000, 2000)).toBe(600)
  expect(measure(0, 2100)).toBe(600)
  expect(measure(1600, 3100)).toBe(1000)
})
