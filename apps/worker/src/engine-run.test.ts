import type { Claim } from '@lathe/orchestrator'
import { noSpan } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { createEnginePermits, type EnginePermits } from './engine-permits.ts'
import { createEngineRun } from './engine-run.ts'
import { createEngineSlots, type EngineSlot } from './engine-slots.ts'
import { GiveBack } from './give-back.ts'

const { signal } = new AbortController()
const claim = {
  fence: { attempt: 1 },
  standing: { ownerId: 'o', isLone: true },
  inputs: [],
  allowance: { ms: 10, code: 'out_of_minutes_per_task' },
} as unknown as Claim

const limits = { timeMs: 1_000, memoryBytes: 0, outputBytes: 0 }
const anyStep = { kind: 'process', program: 'tool', limits } as const

function createRun(slot: EngineSlot | undefined, permits: EnginePermits, rank?: number, span = noSpan) {
  const notes = {
    watch: (_: unknown, clock: { start(): void }) => ({
      start: async () => clock.start(),
      [Symbol.dispose]() {},
    }),
  }
  return createEngineRun({ claim, rank, signal, slot, permits, notes, span })
}

describe('the engines of a run', () => {
  it('R7: take no minutes while all permits are occupied, and R6: do not wait for one longer than a moment', async () => {
    const permits = createEnginePermits(1)
    await permits.take(signal)
    const { gates } = createEngineSlots({ engines: 1, longMost: 1, most: 4 })
    using run = createRun(await gates.quick.enter(0), permits)
    await expect(run.takePermit(signal, anyStep)).rejects.toThrow(GiveBack)
    expect([run.clock.ms, run.clock.isOver]).toEqual([0, false])
  })

  it('F: go back to the queue of long tasks if no more of these may run', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    const permits = createEnginePermits(2)
    using first = createRun(await gates.quick.enter(0), permits)
    using second = createRun(await gates.quick.enter(0), permits)
    first.expectLong()
    expect([first.givesWay, second.givesWay]).toEqual([true, false])
    expect(() => second.expectLong()).toThrow(expect.objectContaining({ reason: 'long', lane: 'long' }))
  })

  it('F: have low CPU priority unless it is the only task of its owner', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    const permits = createEnginePermits(2)
    using first = createRun(await gates.quick.enter(0), permits, 1)
    using second = createRun(await gates.quick.enter(0), permits, 2)
    expect([first.givesWay, second.givesWay]).toEqual([false, true])
  })

  it('count their wait from the request for a runner', async () => {
    const { gates } = createEngineSlots({ engines: 1, longMost: 1, most: 4 })
    using run = createRun(await gates.quick.enter(0), createEnginePermits(1))
    using _step = await run.takePermit(signal, anyStep, performance.now() - 500)
    expect(run.waitedMs).toBeGreaterThanOrEqual(500)
  })

  it('have the name of their runner or program in traces', async () => {
    const names: unknown[] = []
    const child = (_name: string, attributes = {}) => {
      names.push(attributes)
      return noSpan
    }
    using run = createRun(undefined, createEnginePermits(1), 1, { ...noSpan, child })
    const steps = [anyStep, { kind: 'call', runner: 'warm', limits }] as const
    for (const step of steps) (await run.takePermit(signal, step))[Symbol.dispose]()
    expect(names).toEqual([{ 'lathe.engine': 'tool' }, { 'lathe.engine': 'warm' }])
  })

  it('R5: hold all permits until the last step is done if they must run alone', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    const permits = createEnginePermits(2)
    using run = createRun(await gates.alone.enter(0), permits)
    const step = await run.takePermit(signal, anyStep)
    step[Symbol.dispose]()
    let isIn = false
    const other = permits.take(signal).then(() => {
      isIn = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isIn).toBe(false)
    run.end()
    await other
  })
})
