import type { EngineNote, Fence } from '@lathe/database'
import { silentLog } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { createEngineClock } from './engine-clock.ts'
import { startEngineNotes } from './engine-notes.ts'

const everyMs = 20
const limit = { timeout: 5_000, interval: 5 }
const { signal } = new AbortController()
const fence: Fence = { taskId: 'a'.repeat(24), attempt: 1, workerId: 'b'.repeat(24) }

/** A desk that records the notes it gets, and can lose the first ones. */
function createDesk({ lost = 0 } = {}) {
  const reported: (number | null)[] = []
  return {
    reported,
    async noteEngines(_: string, notes: readonly EngineNote[]) {
      reported.push(...notes.map(({ engineMs }) => engineMs))
      return reported.length <= lost ? [] : notes.map((note) => note.fence.taskId)
    },
  }
}

describe('what a worker reports about its engines', () => {
  it('R5: is nothing for a task that ends before the first report', async () => {
    const desk = createDesk()
    await using notes = startEngineNotes(desk, silentLog)
    using noted = notes.watch(fence, createEngineClock(undefined, signal))
    await noted.start(signal)
    expect(desk.reported).toEqual([])
  })

  it('R5: is reported once per change, and updated before an engine starts that was reported idle', async () => {
    const desk = createDesk()
    await using notes = startEngineNotes(desk, silentLog, { everyMs })
    using clock = createEngineClock(undefined, signal)
    using noted = notes.watch(fence, clock)
    await expect.poll(() => desk.reported, limit).toEqual([null])
    await noted.start(signal)
    expect(desk.reported).toEqual([null, 0])
    expect(clock.isRunning).toBe(true)
    const later = notes.watch({ ...fence, taskId: 'c'.repeat(24) }, createEngineClock(undefined, signal))
    // The note of another task shows that another round has passed.
    await expect.poll(() => desk.reported, limit).toEqual([null, 0, null])
    later[Symbol.dispose]()
    clock.stop()
    await expect.poll(() => desk.reported, limit).toEqual([null, 0, null, null])
  })

  it('R5: delays the start of an engine until that is recorded', async () => {
    const desk = createDesk({ lost: 3 })
    await using notes = startEngineNotes(desk, silentLog, { everyMs })
    using clock = createEngineClock(undefined, signal)
    using noted = notes.watch(fence, clock)
    await expect.poll(() => desk.reported.length, limit).toBe(1)
    const starting = noted.start(signal)
    await expect.poll(() => desk.reported.length, limit).toBe(3)
    expect(clock.isRunning).toBe(false)
    await starting
    expect([clock.isRunning, desk.reported]).toEqual([true, [null, 0, 0, 0]])
  })
})
