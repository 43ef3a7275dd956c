import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const { signal } = new AbortController()
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('lets as many in as there is room for, and the others in the order they came', async () => {
    const turns = createTurns(1)
    const first = await turns.take(signal)
    const order: string[] = []
    const rest = ['second', 'third'].map(async (name) => {
      using _turn = await turns.take(signal)
      order.push(name)
    })
    await settled()
    expect(order).toEqual([])
    first[Symbol.dispose]()
    await Promise.all(rest)
    expect(order).toEqual(['second', 'third'])
  })

  it('makes room once for a turn that is ended twice', async () => {
    const turns = createTurns(1)
    const turn = await turns.take(signal)
    turn[Symbol.dispose]()
    turn[Symbol.dispose]()
    await turns.take(signal)
    let third = false
    turns.take(signal).then(() => {
      third = true
    })
    await settled()
    expect(third).toBe(false)
  })

  it('forgets whoever gives up waiting', async () => {
    const turns = createTurns(1)
    const first = await turns.take(signal)
    const impatient = new AbortController()
    const given = turns.take(impatient.signal)
    impatient.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    first[Symbol.dispose]()
    await turns.take(signal)
  })

  it('refuses whoever was stopped before asking', async () => {
    await expect(createTurns(1).take(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  })

  it('R5: lets one be alone when all turns are over, and nobody in before it has ended', async () => {
    const turns = createTurns(2)
    const [first, second] = [await turns.take(signal), await turns.take(signal)]
    const order: string[] = []
    const alone = turns.takeAlone(signal).then((turn) => {
      order.push('alone')
      return turn
    })
    const next = turns.take(signal).then(() => order.push('next'))
    first[Symbol.dispose]()
    await settled()
    expect(order).toEqual([])
    second[Symbol.dispose]()
    const turn = await alone
    await settled()
    expect(order).toEqual(['alone'])
    turn[Symbol.dispose]()
    await next
  })

  it('holds nobody up for one that gives up waiting to be alone', async () => {
    const turns = createTurns(2)
    await turns.take(signal)
    const impatient = new AbortController()
    const alone = turns.takeAlone(impatient.signal)
    const next = turns.take(signal)
    impatient.abort(new Error('enough'))
    await expect(alone).rejects.toThrow('enough')
    await next
  })

  it('F: lets owners with fewer turns go first, and the others in the order they came', async () => {
    const turns = createTurns(3)
    const loud = await Promise.all([1, 2].map(() => turns.take(signal, { ownerId: 'loud' })))
    const other = await turns.take(signal, { ownerId: 'other' })
    const order: string[] = []
    for (const ownerId of ['loud', 'other', 'quiet', 'loud'])
      void turns.take(signal, { ownerId }).then(() => order.push(ownerId))
    await settled()
    expect(order).toEqual([])
    for (const turn of [loud[0], other, loud[1]]) {
      turn?.[Symbol.dispose]()
      await settled()
    }
    expect(order).toEqual(['quiet', 'other', 'loud'])
  })

  it('F: gives one turn more to an owner that has none where another has all', async () => {
    const turns = createTurns(2)
    const [first] = await Promise.all([1, 2].map(() => turns.take(signal, { ownerId: 'loud' })))
    const order: string[] = []
    void turns.take(signal, { ownerId: 'loud' }).then(() => order.push('loud'))
    const quiet = await turns.take(signal, { ownerId: 'quiet' })
    void turns.take(signal, { ownerId: 'third' }).then(() => order.push('third'))
    await settled()
    expect(order).toEqual([])
    first?.[Symbol.dispose]()
    await settled()
    // There were three for two: the next is let in when two have ended.
    expect(order).toEqual([])
    quiet[Symbol.dispose]()
    await settled()
    expect(order).toEqual(['third'])
  })

  it('F: starts no two engines that may use more memory together than there is, but any by itself', async () => {
    const GiB = 1024 ** 3
    const turns = createTurns(4, { memoryBytes: 6 * GiB, freeDisk: () => GiB })
    const need = (memoryGiB: number, diskGiB = 0) => ({ memoryBytes: memoryGiB * GiB, diskBytes: diskGiB * GiB })
    const order: string[] = []
    const first = await turns.take(signal, { need: need(4) })
    const second = turns.take(signal, { need: need(4) }).then((turn) => {
      order.push('second')
      return turn
    })
    // What needs less passes it.
    const small = await turns.take(signal, { need: need(1, 1) })
    await settled()
    expect(order).toEqual([])
    first[Symbol.dispose]()
    const turn = await second
    turn[Symbol.dispose]()
    let isIn = false
    const writer = turns.take(signal, { need: need(0, 1) }).then(() => {
      isIn = true
    })
    await settled()
    expect(isIn).toBe(false)
    small[Symbol.dispose]()
    await writer
    await createTurns(1, { memoryBytes: GiB, freeDisk: () => 0 }).take(signal, { need: need(8, 8) })
  })
})

it('tells how many turns are taken', async () => {
  const told: number[] = []
  const capacity = { memoryBytes: 100, freeDisk: () => 100, onChange: (taken: number) => void told.push(taken) }
  const turns = createTurns(2, capacity)
  const [first, second] = [await turns.take(signal), await turns.take(signal)]
  first[Symbol.dispose]()
  second[Symbol.dispose]()
  using _all = await turns.takeAlone(signal)
  expect(told).toEqual([1, 2, 1, 0, 2])
})
