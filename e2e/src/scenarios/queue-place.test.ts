import type { Task } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { importFixture, newClient } from '../scenario.ts'

describe('a task that waits', () => {
  it('reports what it waits for and its queue position, and null once it has started [D-shape-19]', async () => {
    const api = await newClient()
    const source = await importFixture(api, 'photo-100k.jpg')
    const made: Task[] = []
    for (let n = 0; n < 12; n++) {
      made.push(await api.create('convert', { input: source.id, output_format: 'avif', options: { width: 1200 } }))
    }
    const last = made.at(-1)?.id ?? ''
    const seen: NonNullable<Task['queue']>[] = []
    const ended = await waitFor(
      async () => {
        const task = await api.task(last)
        if (task.queue) seen.push(task.queue)
        return task.endedAt === null ? undefined : task
      },
      { withinMs: 120_000, everyMs: 50, what: 'the end of the last conversion' },
    )
    expect(ended).toMatchObject({ status: 'completed', queue: null })
    expect(seen.length).toBeGreaterThan(0)
    for (const { waitsFor, position } of seen) {
      expect(['slot', 'worker']).toContain(waitsFor)
      expect(position === null || position >= 1).toBe(true)
    }
  })
})
