import { describe, expect, it } from 'vitest'
import { type EngineLoad, loadOf, mayStart, taskToYield } from './engine-sharing.ts'
import type { Lane } from './lanes.ts'

const config = { engines: 4, longMost: 3, most: 16 }
const idle: EngineLoad = { quick: 0, long: 0, alone: 0, storing: 0, wantsAlone: false, overdue: 0, ofOneOwner: 0 }
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

  it('R6: never waits behind a long one, and behind a quick one only if no other worker took it', () => {
    expect(may('quick', { quick: 4 }, patient)).toBe(true)
    expect(may('quick', { quick: 8 }, patient)).toBe(false)
    const one = { engines: 1, longMost: 1, most: 4 }
    expect(mayStart({ ...idle, long: 1 }, one, { lane: 'quick', waitedMs: patient })).toBe(false)
  })

  it('leaves engines to quick ones if it is long, but does not starve', () => {
    expect(may('long', { long: 2 })).toBe(true)
    expect(may('long', { long: 3 }, patient)).toBe(false)
    expect(may('long', { quick: 4 }, patient)).toBe(true)
    expect(may('long', { quick: 3, long: 1 }, patient)).toBe(false)
  })

  it('R5: that must run alone waits for long ones, and prevents others from starting', () => {
    expect(may('alone', { quick: 4 })).toBe(true)
    expect(may('alone', { long: 1 })).toBe(false)
    for (const lane of ['quick', 'long', 'alone'] as const) expect(may(lane, { alone: 1 }, patient)).toBe(false)
    expect(may('long', { wantsAlone: true })).toBe(false)
    expect(may('quick', { wantsAlone: true })).toBe(true)
  })

  it('F: of an owner without tasks here is claimed even if another owner could use every engine', () => {
    const load = { ...idle, quick: 8, ofOneOwner: 8 }
    const first = { lane: 'quick', waitedMs: 0, isFirst: true } as const
    expect(mayStart(load, config, first)).toBe(true)
    expect(mayStart(load, config, { ...first, isFirst: false })).toBe(false)
    expect(mayStart({ ...load, ofOneOwner: 3 }, config, first)).toBe(false)
    expect(mayStart({ ...load, quick: 12 }, config, first)).toBe(false)
    expect(mayStart({ ...load, alone: 1 }, config, first)).toBe(false)
  })

  it('F: of an owner without tasks here is claimed even if tasks of several owners are not quick as expected', () => {
    const load = { ...idle, long: 4, overdue: 4, ofOneOwner: 1 }
    const first = { lane: 'quick', waitedMs: 0, isFirst: true } as const
    expect(mayStart(load, config, first)).toBe(true)
    expect(mayStart(load, config, { ...first, isFirst: false })).toBe(false)
    expect(mayStart({ ...load, overdue: 0 }, config, first)).toBe(false)
    expect(mayStart({ ...load, long: 12, overdue: 12 }, config, first)).toBe(false)
  })

  it('is not claimed while too many others are storing results', () => {
    expect(may('quick', { storing: 15 })).toBe(true)
    expect(may('quick', { storing: 16 })).toBe(false)
  })
})

it('F: a task that is not quick as expected yields after 5 s, first one of the owner with most of them', () => {
  const tasks = [
    { part: 'quick', ownerId: 'a', since: 1_000 },
    { part: 'quick', ownerId: 'b', since: 2_000 },
    { part: 'quick', ownerId: 'b', since: 3_000 },
    { part: 'long', ownerId: 'c', since: 0 },
    { part: 'storing', ownerId: 'c', since: 0 },
  ] as const
  expect(taskToYield(tasks, 5_999)).toBeUndefined()
  expect(taskToYield(tasks, 6_000)).toBe(tasks[0])
  expect(taskToYield(tasks, 8_000)).toBe(tasks[1])
})

it('counts tasks in hand by lane, those as long that were expected to be quick and are not', () => {
  const tasks = [
    { part: 'quick', ownerId: 'a', since: 5_000 },
    { part: 'quick', ownerId: 'a', since: 3_000 },
    { part: 'storing', ownerId: 'a', since: 3_000 },
    { part: 'long', ownerId: 'b', since: 5_000 },
    { part: 'long', ownerId: undefined, since: 5_000 },
  ] as const
  expect(loadOf(tasks, 5_000)).toEqual({ ...idle, quick: 1, long: 3, storing: 1, overdue: 1, ofOneOwner: 2 })
})
