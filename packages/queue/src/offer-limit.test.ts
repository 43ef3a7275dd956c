import { expect, it } from 'vitest'
import { createOfferLimit } from './offer-limit.ts'

it('F: takes every second task from the queue while others wait there', () => {
  const limit = createOfferLimit()
  for (let n = 0; n < 3; n += 1) {
    expect(limit.isOpen()).toBe(true)
    limit.noteOffer()
  }
  limit.noteQueued(5_000)
  expect(limit.isOpen()).toBe(true)
  limit.noteOffer()
  expect(limit.isOpen()).toBe(false)
  limit.noteQueued(5_000)
  expect(limit.isOpen()).toBe(true)
  limit.noteOffer()
  limit.noteEmpty()
  expect(limit.isOpen()).toBe(true)
})
