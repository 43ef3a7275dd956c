import { expect, it } from 'vitest'
import { createOfferLimit } from './offer-limit.ts'

it('F: takes every second task from the queue while others wait there', () => {
  const limit = createOfferLimit()
  for (let n = 0; n < 3; n += 1) {
    expect(limit.isOpen(2)).toBe(true)
    limit.noteOffer(2)
  }
  limit.noteQueued(5_000)
  expect(limit.isOpen(2)).toBe(true)
  limit.noteOffer(2)
  expect(limit.isOpen(2)).toBe(false)
  limit.noteQueued(5_000)
  expect(limit.isOpen(2)).toBe(true)
  limit.noteOffer(2)
  limit.noteEmpty()
  expect(limit.isOpen(2)).toBe(true)
})

it('F: takes the only task of an owner always', () => {
  const limit = createOfferLimit()
  limit.noteQueued(5_000)
  limit.noteOffer(2)
  expect([limit.isOpen(2), limit.isOpen(1)]).toEqual([false, true])
  limit.noteQueued(5_000)
  limit.noteOffer(1)
  expect(limit.isOpen(2)).toBe(true)
})
