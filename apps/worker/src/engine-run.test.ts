import type { Claim } from '@lathe/orchestrator'
import { describe, expect, it } from 'vitest'
import { createEngineRun } from './engine-run.ts'
import { createEngineSlots, type EngineSlot } from './engine-slots.ts'
import { GiveBack } from './give-back.ts'
import { createTurns, type Turns } from './turns.ts'

const { signal } = new AbortController()
const claim = {
  fence: { attempt: 1 },
  standing: { ownerId: 'o', isLone: true },
  inputs: [],
  allowance: { ms: 10, code: 'out_of_minutes_per_task' },
} as unknown as Claim

function createRun(slot: EngineSlot | undefined, turns: Turns) {
  const notes = {
    watch: (_: unknown, clock: { start(): void }) => ({
      start: async () => clock.start(),
      [Symbol.dispose]() {},
    }),
  }
  return createEngineRun({ claim, signal, slot, turns, notes })
}

describe('the engines of a run', () => {
  it('R7: take no minutes while all turns are occupied, and R6: do not wait for one longer than a moment', async () => {
    const turns = createTurns(1)
    await turns.take(signal)
    const { gates } = createEngineSlots({ engines: 1, longMost: 1, most: 4 })
    using run = createRun(await gates.quick.enter(0), turns)
    await expect(run.takeTurn(signal)).rejects.toThrow(GiveBack)
    expect([run.clock.ms, run.clock.isOver]).toEqual([0, false])
  })

  it('F: go back to the queue of long tasks where no more of these may run', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    const turns = createTurns(2)
    using first = createRun(await gates.quick.enter(0), turns)
    using second = createRun(await gates.quick.enter(0), turns)
    first.expectLong()
    expect([first.isLong, second.isLong]).toEqual([true, false])
    expect(() => second.expectLong()).toThrow(expect.objectContaining({ reason: 'long', lane: 'long' }))
  })

  it('R5: have all turns until the last step is done if they must be alone', async () => {
    const { gates } = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
    const turns = createTurns(2)
    using run = createRun(await gates.alone.enter(0), turns)
    const step = await run.takeTurn(signal)
    step[Symbol.dispose]()
    let isIn = false
    const other = turns.take(signal).then(() => {
      isIn = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isIn).toBe(false)
    run.end()
    await other
  })
})
