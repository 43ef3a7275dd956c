import { describe, expect, it, vi } from 'vitest'
import { createEnginePermits } from './engine-permits.ts'

const { signal } = new AbortController()
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('permits', () => {
  it('are granted up to their number, and to the others in order of arrival', async () => {
    const permits = createEnginePermits(1)
    const first = await permits.take(signal)
    const order: string[] = []
    const rest = ['second', 'third'].map(async (name) => {
      using _permit = await permits.take(signal)
      order.push(name)
    })
    await settled()
    expect(order).toEqual([])
    first[Symbol.dispose]()
    await Promise.all(rest)
    expect(order).toEqual(['second', 'third'])
  })

  it('are released once, even if ended twice', async () => {
    const permits = createEnginePermits(1)
    const permit = await permits.take(signal)
    permit[Symbol.dispose]()
    permit[Symbol.dispose]()
    await permits.take(signal)
    let third = false
    permits.take(signal).then(() => {
      third = true
    })
    await settled()
    expect(third).toBe(false)
  })

  it('are not granted to a run that stopped waiting', async () => {
    const permits = createEnginePermits(1)
    const first = await permits.take(signal)
    const impatient = new AbortController()
    const given = permits.take(impatient.signal)
    impatient.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    first[Symbol.dispose]()
    await permits.take(signal)
  })

  it('are refused to a run that was stopped before it asked', async () => {
    await expect(createEnginePermits(1).take(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  })

  it('R5: are granted exclusively when all others have ended, and to no other before that one ends', async () => {
    const permits = createEnginePermits(2)
    const [first, second] = [await permits.take(signal), await permits.take(signal)]
    const order: string[] = []
    const alone = permits.takeAlone(signal).then((permit) => {
      order.push('alone')
      return permit
    })
    const next = permits.take(signal).then(() => order.push('next'))
    first[Symbol.dispose]()
    await settled()
    expect(order).toEqual([])
    second[Symbol.dispose]()
    const permit = await alone
    await settled()
    expect(order).toEqual(['alone'])
    permit[Symbol.dispose]()
    await next
  })

  it('delay no run for one that stopped waiting to run alone', async () => {
    const permits = createEnginePermits(2)
    await permits.take(signal)
    const impatient = new AbortController()
    const alone = permits.takeAlone(impatient.signal)
    const next = permits.take(signal)
    impatient.abort(new Error('enough'))
    await expect(alone).rejects.toThrow('enough')
    await next
  })

  it('F: are granted to owners with fewer permits first, and otherwise in order of arrival', async () => {
    const permits = createEnginePermits(3)
    const loud = await Promise.all([1, 2].map(() => permits.take(signal, { ownerId: 'loud' })))
    const other = await permits.take(signal, { ownerId: 'other' })
    const order: string[] = []
    for (const ownerId of ['loud', 'other', 'quiet', 'loud'])
      void permits.take(signal, { ownerId }).then(() => order.push(ownerId))
    await settled()
    expect(order).toEqual([])
    for (const permit of [loud[0], other, loud[1]]) {
      permit?.[Symbol.dispose]()
      await settled()
    }
    expect(order).toEqual(['quiet', 'other', 'loud'])
  })

  it('F: include an extra one for an owner that has none if another has all', async () => {
    const permits = createEnginePermits(2)
    const [first] = await Promise.all([1, 2].map(() => permits.take(signal, { ownerId: 'loud' })))
    const order: string[] = []
    void permits.take(signal, { ownerId: 'loud' }).then(() => order.push('loud'))
    const quiet = await permits.take(signal, { ownerId: 'quiet' })
    void permits.take(signal, { ownerId: 'third' }).then(() => order.push('third'))
    await settled()
    expect(order).toEqual([])
    first?.[Symbol.dispose]()
    await settled()
    // There were three for a limit of two: the next one starts after two have ended.
    expect(order).toEqual([])
    quiet[Symbol.dispose]()
    await settled()
    expect(order).toEqual(['third'])
  })

  it('F: include an extra one for an owner that has none if whoever has them is not quick', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const permits = createEnginePermits(2)
      for (const ownerId of ['a', 'b']) await permits.take(signal, { ownerId })
      const order: string[] = []
      void permits.take(signal, { ownerId: 'early' }).then(() => order.push('early'))
      await settled()
      expect(order).toEqual([])
      vi.advanceTimersByTime(1_001)
      void permits.take(signal, { ownerId: 'late' }).then(() => order.push('late'))
      await settled()
      expect(order).toEqual(['early'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('F: are not granted to two engines that may use too much memory together, but to any by itself', async () => {
    const GiB = 1024 ** 3
    const permits = createEnginePermits(4, { memoryBytes: 6 * GiB, freeDisk: () => GiB })
    const need = (memoryGiB: number, diskGiB = 0) => ({ memoryBytes: memoryGiB * GiB, diskBytes: diskGiB * GiB })
    const order: string[] = []
    const first = await permits.take(signal, { need: need(4) })
    const second = permits.take(signal, { need: need(4) }).then((permit) => {
      order.push('second')
      return permit
    })
    // A task that needs less overtakes it.
    const small = await permits.take(signal, { need: need(1, 1) })
    await settled()
    expect(order).toEqual([])
    first[Symbol.dispose]()
    const permit = await second
    permit[Symbol.dispose]()
    let isIn = false
    const writer = permits.take(signal, { need: need(0, 1) }).then(() => {
      isIn = true
    })
    await settled()
    expect(isIn).toBe(false)
    small[Symbol.dispose]()
    await writer
    await createEnginePermits(1, { memoryBytes: GiB, freeDisk: () => 0 }).take(signal, { need: need(8, 8) })
  })
})

it('report how many are in use', async () => {
  const reported: number[] = []
  const capacity = { memoryBytes: 100, freeDisk: () => 100, onChange: (taken: number) => void reported.push(taken) }
  const permits = createEnginePermits(2, capacity)
  const [first, second] = [await permits.take(signal), await permits.take(signal)]
  first[Symbol.dispose]()
  second[Symbol.dispose]()
  using _all = await permits.takeAlone(signal)
  expect(reported).toEqual([1, 2, 1, 0, 2])
})
