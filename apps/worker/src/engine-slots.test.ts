import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createEngineSlots, type EngineSlot } from './engine-slots.ts'

const patient = Number.POSITIVE_INFINITY

describe('slots', () => {
  it('are free for others as soon as the engine is done', async () => {
    const { gates } = createEngineSlots({ engines: 1, longMost: 1, most: 4 })
    const slot = await gates.quick.enter(0)
    expect(await gates.quick.enter(0)).toBeUndefined()
    let isOpen = false
    const opening = gates.long.untilOpen(0).then(() => {
      isOpen = true
    })
    await Promise.resolve()
    expect(isOpen).toBe(false)
    slot?.endEngine()
    await opening
    expect(await gates.quick.enter(0)).toBeDefined()
  })

  it('are filled at once while entries wait long, so that engines are never idle', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    for (let inHand = 0; inHand < 4; inHand += 1) {
      const opening = gates.quick.untilOpen(1_000).then(() => 'at once')
      expect(await Promise.race([opening, setImmediate('later')])).toBe('at once')
      expect(await gates.quick.enter(1_000)).toBeDefined()
    }
    expect(await gates.quick.enter(1_000)).toBeUndefined()
  })

  it('F: are granted to an owner that has none although another has more than there are engines', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    for (let n = 0; n < 4; n += 1) expect(await gates.quick.enter(patient, 'loud')).toBeDefined()
    expect(await gates.quick.enter(patient, 'loud')).toBeUndefined()
    const slot = await gates.quick.enter(0, 'quiet')
    expect(await gates.quick.enter(0, 'quiet')).toBeUndefined()
    slot?.endEngine()
    expect(await gates.quick.enter(0, 'quiet')).toBeDefined()
  })

  it('F: are left by tasks of several owners that are not quick as expected, one for each new owner', async () => {
    vi.useFakeTimers()
    try {
      const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
      const slow: (EngineSlot | undefined)[] = []
      for (const owner of ['a', 'b', 'c', 'd']) slow.push(await gates.quick.enter(patient, owner))
      const yielded = () => slow.filter((slot) => slot?.signal.aborted).length
      await vi.advanceTimersByTimeAsync(4_900)
      const bob = await gates.quick.enter(0, 'bob')
      expect([bob === undefined, yielded()]).toEqual([false, 0])
      await vi.advanceTimersByTimeAsync(200)
      // One that has an engine, or waits for one, frees no other.
      await gates.quick.enter(0, 'bob')
      expect(yielded()).toBe(0)
      await gates.quick.enter(0, 'carol')
      await gates.quick.enter(0, 'dave')
      expect(yielded()).toBe(1)
      slow.find((slot) => slot?.signal.aborted)?.[Symbol.dispose]()
      await gates.quick.enter(0, 'erin')
      expect(yielded()).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('become slots of long tasks only while long ones may have more', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    const [first, second] = [await gates.quick.enter(0), await gates.quick.enter(0)] as [EngineSlot, EngineSlot]
    expect([first.toLong(), second.toLong(), first.toLong()]).toEqual([true, false, true])
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    expect(second.toLong()).toBe(true)
  })

  it('R5: all go to a task that waited long enough to run alone, when the long one has ended', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    const long = await gates.long.enter(0)
    expect(await gates.alone.enter(0)).toBeUndefined()
    const alone = gates.alone.enter(60_000)
    expect(await gates.quick.enter(0)).toBeDefined()
    expect(await gates.long.enter(0)).toBeUndefined()
    long?.[Symbol.dispose]()
    expect((await alone)?.lane).toBe('alone')
    expect(await gates.quick.enter(patient)).toBeUndefined()
  })

  it('R5: let no long task start while a second task of another queue waits to run alone', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    const long = await gates.long.enter(0)
    const [first, second] = [gates.alone.enter(60_000), gates.alone.enter(60_000)]
    long?.[Symbol.dispose]()
    const alone = await first
    // The first one must not forget that the second waits.
    alone?.[Symbol.dispose]()
    expect(await gates.long.enter(0)).toBeUndefined()
    expect((await second)?.lane).toBe('alone')
  })

  it('F: have the queue checked for other owners while one owner uses all of them', async () => {
    const { gates } = createEngineSlots({ engines: 1, longMost: 1, most: 8 })
    await gates.quick.enter(patient, 'loud')
    await gates.quick.enter(patient, 'loud')
    expect(await gates.quick.enter(patient, 'loud')).toBeUndefined()
    // Nothing else changes meanwhile: the gate opens by itself.
    await gates.quick.untilOpen(patient)
    const quiet = await gates.quick.enter(0, 'quiet')
    expect(quiet).toBeDefined()
    let isOpen = false
    const opening = gates.quick.untilOpen(patient).then(() => {
      isOpen = true
    })
    await pause(200)
    expect(isOpen).toBe(false)
    quiet?.[Symbol.dispose]()
    await opening
  })

  it('are not granted while paused', async () => {
    const slots = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    slots.pause(true)
    expect(await slots.gates.quick.enter(patient)).toBeUndefined()
    const opening = slots.gates.quick.untilOpen(0)
    slots.pause(false)
    await opening
    expect(await slots.gates.quick.enter(0)).toBeDefined()
  })
})
