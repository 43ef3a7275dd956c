import { setTimeout as pause } from 'node:timers/promises'
import { noSpan } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { createRunTimes } from './run-times.ts'

const parts = { wait: { ms: 100.4 }, span: noSpan, engine: { clock: { ms: 250.6 }, waitedMs: 20 } }

describe('the times of a run', () => {
  it('count the wait for an engine as time in the queue, and are whole milliseconds', () => {
    expect(createRunTimes(parts).sum()).toEqual({ queueMs: 120, fetchMs: 0, engineMs: 251, storeMs: 0 })
  })

  it('add up parts that come several times, also those that failed', async () => {
    const times = createRunTimes(parts)
    await times.measure('fetch', () => pause(30))
    await times.measure('fetch', () => pause(30))
    const failed = times.measure('store', async () => {
      await pause(30)
      throw new Error('full')
    })
    await expect(failed).rejects.toThrow('full')
    const { fetchMs, storeMs } = times.sum()
    expect(fetchMs).toBeGreaterThanOrEqual(58)
    expect(storeMs).toBeGreaterThanOrEqual(29)
  })
})
