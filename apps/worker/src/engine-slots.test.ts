import { setImmediate } from 'node:timers/promises'
import type { Lane } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { createEngineSlots, type EngineLoad, type EngineSlot, mayStart } from './engine-slots.ts'

const config = { engines: 4, longMost: 3, most: 16 }
const idle: EngineLoad = { quick: 0, long: 0, alone: 0, storing: 0, wantsAlone: false, ofOneOwner: 0 }
const patient = Number.POSITIVE_INFINITY

const may = (lane: Lane, load: Partial<EngineLoad>, waitedMs = 0) =>
  mayStart({ ...idle, ...load }, config, { lane, waitedMs })

describe('a task', () => {
  it('R6: is claimed only where an engine is free for it', () => {
    expect(may('quick', { quick: 3 })).toBe(true)
    expect(may('quick', { quick: 4 })).toBe(false)
    expect(may('quick', { quick: 1, long: 3 })).toBe(false)
    expect(may('long', { quick: 4 })).toBe(false)
  })

  it('R6: never waits behind a long one, and behind a quick one only if no other worker wanted it', () => {
    expect(may('quick', { quick: 4 }, patient)).toBe(true)
    expect(may('quick', { quick: 8 }, patient)).toBe(false)
    const one = { engines: 1, longMost: 1, most: 4 }
    expect(mayStart({ ...idle, long: 1 }, one, { lane: 'quick', waitedMs: patient })).toBe(false)
  })

  it('leaves engines to quick ones if it is long, yet is not kept out by them for ever', () => {
    expect(may('long', { long: 2 })).toBe(true)
    expect(may('long', { long: 3 }, patient)).toBe(false)
    expect(may('long', { quick: 4 }, patient)).toBe(true)
    expect(may('long', { quick: 3, long: 1 }, patient)).toBe(false)
  })

  it('R5: that must be alone waits for long ones, and lets nothing start with it', () => {
    expect(may('alone', { quick: 4 })).toBe(true)
    expect(may('alone', { long: 1 })).toBe(false)
    for (const lane of ['quick', 'long', 'alone'] as const) expect(may(lane, { alone: 1 }, patient)).toBe(false)
    expect(may('long', { wantsAlone: true })).toBe(false)
    expect(may('quick', { wantsAlone: true })).toBe(true)
  })

  it('F: of an owner that has nothing here is claimed where another could fill every engine', () => {
    const load = { ...idle, quick: 8, ofOneOwner: 8 }
    const first = { lane: 'quick', waitedMs: 0, isFirst: true } as const
    expect(mayStart(load, config, first)).toBe(true)
    expect(mayStart(load, config, { ...first, isFirst: false })).toBe(false)
    expect(mayStart({ ...load, ofOneOwner: 3 }, config, first)).toBe(false)
    expect(mayStart({ ...load, quick: 12 }, config, first)).toBe(false)
    expect(mayStart({ ...load, alone: 1 }, config, first)).toBe(false)
  })

  it('is not claimed while too many others only store', () => {
    expect(may('quick', { storing: 15 })).toBe(true)
    expect(may('quick', { storing: 16 })).toBe(false)
  })
})

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

  it('are filled at once while entries wait long, so that engines never run dry', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    for (let inHand = 0; inHand < 4; inHand += 1) {
      const opening = gates.quick.untilOpen(1_000).then(() => 'at once')
      expect(await Promise.race([opening, setImmediate('later')])).toBe('at once')
      expect(await gates.quick.enter(1_000)).toBeDefined()
    }
    expect(await gates.quick.enter(1_000)).toBeUndefined()
  })

  it('F: are had by an owner that has none although another has more than there are engines', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    for (let n = 0; n < 4; n += 1) expect(await gates.quick.enter(patient, 'loud')).toBeDefined()
    expect(await gates.quick.enter(patient, 'loud')).toBeUndefined()
    const slot = await gates.quick.enter(0, 'quiet')
    expect(await gates.quick.enter(0, 'quiet')).toBeUndefined()
    slot?.endEngine()
    expect(await gates.quick.enter(0, 'quiet')).toBeDefined()
  })

  it('become slots of long tasks only while long ones may have more', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    const [first, second] = [await gates.quick.enter(0), await gates.quick.enter(0)] as [EngineSlot, EngineSlot]
    expect([first.toLong(), second.toLong(), first.toLong()]).toEqual([true, false, true])
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    expect(second.toLong()).toBe(true)
  })

  it('R5: are all had by one that waited long enough to be alone, when the long one has ended', async () => {
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

  it('are not given out while paused', async () => {
    const slots = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    slots.pause(true)
    expect(await slots.gates.quick.enter(patient)).toBeUndefined()
    const opening = slots.gates.quick.untilOpen(0)
    slots.pause(false)
    await opening
    expect(await slots.gates.quick.enter(0)).toBeDefined()
  })
})
