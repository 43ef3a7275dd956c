import type { Job } from '@lathe/contract'
import { type EventReader, readEvents } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { importTask, newKey, stack } from '../scenario.ts'

const soon = { timeout: 60_000, interval: 50 }
const tasks = {
  photo: importTask('photo-40k.jpg'),
  small: { operation: 'convert', input: 'photo', output_format: 'webp' },
}

const kept = (reader: EventReader) => reader.events().filter(({ type }) => type !== 'task.progress')
const endedIn = (reader: EventReader) =>
  kept(reader).flatMap(({ type, data }) => (type === 'job.completed' && 'job' in data ? [data.job.id] : []))

describe('the events of an account', () => {
  it('report several jobs on one stream, which resumes after a lost connection [D-event-55]', async () => {
    const { key } = await newKey({ slots: 8 })
    const api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
    const headers = { authorization: `Bearer ${key}` }
    const url = `${stack.url}/v1/process/events`
    expect((await api.send('HEAD', '/v1/process/events')).status).toBe(200)
    const first = await readEvents(url, headers)
    await expect.poll(() => first.frames.length, soon).toBeGreaterThan(0)
    const jobs: Job[] = [await api.createJob(tasks), await api.createJob(tasks)]
    await expect.poll(() => endedIn(first).toSorted(), soon).toEqual(jobs.map(({ id }) => id).toSorted())
    const mark = first.frames.findLast(({ id }) => id !== undefined)?.id ?? ''
    first.leave()
    const missed = await api.runJob(tasks)
    const second = await readEvents(url, { ...headers, 'last-event-id': mark })
    await expect.poll(() => endedIn(second), soon).toContain(missed.id)
    second.leave()
    const seqs = new Set(
      kept(second)
        .filter(({ data }) => JSON.stringify(data).includes(missed.id))
        .map(({ seq }) => seq),
    )
    expect([...seqs].toSorted((a, b) => a - b)).toEqual(Array.from(seqs, (_, i) => i + 1))
  })
})
