import { afterEach, describe, expect, it } from 'vitest'
import { createEngineSlots } from './engine-slots.ts'
import { createPauses } from './pauses.ts'
import { type ScratchWatch, startScratchWatch } from './scratch-watch.ts'

const MiB = 1024 ** 2
let watch: ScratchWatch | undefined
afterEach(() => watch?.[Symbol.asyncDispose]())

/** A disk whose free space the test sets, and a worker that watches it like ours does. */
async function setUp(leastFreeBytes: number) {
  let free = 1000 * MiB
  const pauses = createPauses()
  const slots = createEngineSlots({ engines: 2, longMost: 1, most: 8 })
  pauses.watch((reason) => slots.pause(reason !== undefined))
  watch = await startScratchWatch({
    dir: '/',
    leastFreeBytes,
    freeBytes: async () => free,
    onChange: (isFull) => pauses.set('disk', isFull),
    everyMs: 1_000_000,
  })
  return {
    watch,
    pauses,
    /** Whether a task would be claimed with this much free space. */
    async admitsWith(bytes: number) {
      free = bytes
      await watch?.isFull()
      const slot = await slots.gates.quick.enter(0)
      slot?.[Symbol.dispose]()
      return slot !== undefined
    },
  }
}

describe('S7: below the watermark of free scratch space', () => {
  it('no task is admitted, and again only with a tenth more, so that one file does not make it stop and go', async () => {
    const { admitsWith, pauses } = await setUp(500 * MiB)
    expect(await admitsWith(501 * MiB)).toBe(true)
    expect(await admitsWith(499 * MiB)).toBe(false)
    expect(pauses.reason()).toBe('disk')
    expect(await admitsWith(540 * MiB)).toBe(false)
    expect(await admitsWith(551 * MiB)).toBe(true)
  })

  it('nothing is left for tasks to reserve', async () => {
    const { watch, admitsWith } = await setUp(500 * MiB)
    await admitsWith(600 * MiB)
    expect(watch.spareBytes).toBe(100 * MiB)
    await admitsWith(400 * MiB)
    expect(watch.spareBytes).toBe(0)
  })
})
