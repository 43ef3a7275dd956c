import type { Task } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { importFixture, newClient } from '../scenario.ts'

let api: Client
beforeAll(async () => {
  api = await newClient()
})

/** Some seconds of an engine's work. */
const slow = { output_format: 'avif', options: { width: 2000 } }

describe('progress', () => {
  it('of an engine at work can be seen, and is null once the task has ended [D-shape-16]', async () => {
    const source = await importFixture(api, 'photo-100k.jpg')
    const { id } = await api.create('convert', { input: source.id, ...slow })
    const seen: NonNullable<Task['progress']>[] = []
    const ended = await waitFor(
      async () => {
        const task = await api.task(id)
        if (task.progress) seen.push(task.progress)
        return task.endedAt === null ? undefined : task
      },
      { withinMs: 60_000, everyMs: 50, what: 'the end of the conversion' },
    )
    expect(ended).toMatchObject({ status: 'completed', progress: null })
    expect(seen.length).toBeGreaterThan(0)
    const percents = seen.map(({ percent }) => percent)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(percents[0]).toBeGreaterThan(0)
  })
})
