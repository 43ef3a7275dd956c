import { describe, expect, it, vi } from 'vitest'
import { createTransferSlots, type TransferLimits } from './transfer-slots.ts'

const limits: TransferLimits = {
  ...{ atOnce: 3, perOwner: 2, perItem: 2, waiting: 3, waitingPerOwner: 2, waitMs: 1000 },
  ...{ minRate: 100, windowMs: 10_000, safeRate: 1000, graceMs: 5000 },
}

/** A transfer of an owner with a fixed rate in bytes per second. */
function transfer(ownerId: string, rate = 10_000, item: string = crypto.randomUUID()) {
  const start = performance.now()
  const end = vi.fn()
  return { ownerId, item, moved: () => ((performance.now() - start) / 1000) * rate, isHeldUp: () => false, end }
}

const forever = new AbortController().signal

describe('transfer slots', () => {
  it('S3: are limited in total and per owner, and a freed one goes to the owner with the fewest', async () => {
    const slots = createTransferSlots(limits)
    const [free, alsoFree] = [await slots.enter(transfer('a'), forever), await slots.enter(transfer('a'), forever)]
    await slots.enter(transfer('b'), forever)
    const order: string[] = []
    const waiting = ['a', 'b', 'c'].map((ownerId) =>
      slots.enter(transfer(ownerId), forever).then((release) => {
        order.push(ownerId)
        return release
      }),
    )
    free?.()
    const release = await waiting[2]
    expect(order).toEqual(['c'])
    expect(slots.size).toBe(3)
    release?.()
    await waiting[0]
    alsoFree?.()
    await Promise.all(waiting)
    expect(order).toEqual(['c', 'a', 'b'])
  })

  it('S3: let a bounded number wait for a bounded time', async () => {
    const slots = createTransferSlots({ ...limits, waitMs: 50 })
    await slots.enter(transfer('a'), forever)
    await slots.enter(transfer('a'), forever)
    const gone = new AbortController()
    const left = slots.enter(transfer('a'), gone.signal)
    const late = slots.enter(transfer('a'), forever)
    await expect(slots.enter(transfer('a'), forever)).rejects.toMatchObject({ code: 'rate_limited' })
    gone.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await expect(late).rejects.toMatchObject({ code: 'rate_limited' })
    expect(slots.size).toBe(2)
  })

  it('S2: end transfers below the minimum rate, and when slots are short the slowest that block others', async () => {
    vi.useFakeTimers()
    try {
      const slots = createTransferSlots({ ...limits, waitMs: 60_000 })
      const [slow, dead, other] = [transfer('a', 300), transfer('a', 10), transfer('b', 200)]
      const releases = await Promise.all([slow, dead, other].map((one) => slots.enter(one, forever)))
      await vi.advanceTimersByTimeAsync(12_000)
      expect(dead.end).toHaveBeenCalledExactlyOnceWith('too_slow')
      releases[1]?.()
      const next = await slots.enter(transfer('a', 5000), forever)
      const newcomer = slots.enter(transfer('a', 5000), forever)
      // A third transfer of this owner is blocked by its own two, not by the slower one of another owner.
      await vi.advanceTimersByTimeAsync(1000)
      expect(slow.end).toHaveBeenCalledExactlyOnceWith('gave_way')
      expect(other.end).not.toHaveBeenCalled()
      releases[0]?.()
      const release = await newcomer
      for (const free of [release, next, releases[2]]) free?.()
      expect(slots.size).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('S2: do not count slowness of the service against a client', async () => {
    vi.useFakeTimers()
    try {
      const slots = createTransferSlots(limits)
      const patient = { ...transfer('a', 0), isHeldUp: () => true }
      const release = await slots.enter(patient, forever)
      await vi.advanceTimersByTimeAsync(60_000)
      expect(patient.end).not.toHaveBeenCalled()
      release()
    } finally {
      vi.useRealTimers()
    }
  })

  it('S2: have additional ones for owners without any', async () => {
    const slots = createTransferSlots({ ...limits, perOwner: 9, forNewcomers: 1 })
    for (let n = 0; n < 3; n += 1) expect(slots.tryEnter(transfer('a'))).toBeDefined()
    expect(slots.tryEnter(transfer('a'))).toBeUndefined()
    const leave = slots.tryEnter(transfer('b'))
    expect(leave).toBeDefined()
    expect(slots.tryEnter(transfer('c'))).toBeUndefined()
    leave?.()
    expect(slots.tryEnter(transfer('a'))).toBeUndefined()
    expect(slots.tryEnter(transfer('c'))).toBeDefined()
  })

  it('S2: end no slow transfer for an owner that has more slots', async () => {
    vi.useFakeTimers()
    try {
      const slots = createTransferSlots({ ...limits, perOwner: 9 })
      const [fast, other, only] = [transfer('a'), transfer('a', 400), transfer('b', 200)]
      const leave = [fast, other, only].map((one) => slots.tryEnter(one))
      await vi.advanceTimersByTimeAsync(6000)
      expect(slots.tryEnter(transfer('a'))).toBeUndefined()
      expect([fast, other, only].map(({ end }) => end.mock.calls)).toEqual([[], [['gave_way']], []])
      // One slot is on its way: no second transfer is ended for it.
      expect(slots.tryEnter(transfer('c'))).toBeUndefined()
      expect(only.end).not.toHaveBeenCalled()
      leave[1]?.()
      expect(slots.tryEnter(transfer('c'))).toBeDefined()
      expect(slots.tryEnter(transfer('d'))).toBeUndefined()
      expect(only.end).toHaveBeenCalledExactlyOnceWith('gave_way')
    } finally {
      vi.useRealTimers()
    }
  })
})
