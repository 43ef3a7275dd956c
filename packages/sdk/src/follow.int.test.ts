import type { ServerResponse } from 'node:http'
import { answerJson, startFailingServer } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { untilEnded } from './follow.ts'
import { createTransport } from './transport.ts'

const path = '/v1/process/jobs/a'
const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const event = (id: number, type: string) => `id: ${id}\ndata: ${JSON.stringify({ id: `e${id}`, type, data: {} })}\n\n`

describe('waiting for the end of a job', () => {
  it('resumes after the last event when the stream is interrupted, and reports each once', async () => {
    let opened = 0
    await using server = await startFailingServer((request, response) => {
      if (request.url !== `${path}/events`) return answerJson(response, 200, { id: 'a', status: 'completed' })
      opened += 1
      if (opened === 1) {
        // The last is a heartbeat: it only moves the position to resume from.
        stream(response).write(`${event(1, 'job.created')}${event(2, 'job.started')}: alive\nid: 2b\n\n`)
        return setTimeout(() => response.destroy(), 50)
      }
      // The server repeats the last event: after a restart it cannot know whether it has arrived.
      if (opened === 2) return stream(response).end(event(2, 'job.started') + event(3, 'job.completed'))
      response.writeHead(204).end()
    })
    const types: string[] = []
    const onEvent = ({ type }: { type: string }) => void types.push(type)
    const job = await untilEnded(createTransport({ baseUrl: server.url, key: 'k' }), path, { onEvent })
    expect(job).toMatchObject({ status: 'completed' })
    expect(types).toEqual(['job.created', 'job.started', 'job.completed'])
    const streams = server.seen.filter(({ url }) => url.endsWith('/events'))
    expect(streams.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2b'])
  })

  it.each([
    ['is refused for there are too many', 429],
    ['cannot be served', 503],
  ])('polls with Prefer: wait when the stream %s, until the job has ended', async (_, status) => {
    let asked = 0
    await using server = await startFailingServer((request, response) => {
      if (request.url === `${path}/events`) return answerJson(response, status, {}, { 'retry-after': '0' })
      asked += 1
      answerJson(response, 200, { id: 'a', status: asked < 3 ? 'processing' : 'completed' })
    })
    const job = await untilEnded(createTransport({ baseUrl: server.url, key: 'k' }), path)
    expect(job).toMatchObject({ status: 'completed' })
    const polls = server.seen.filter(({ url }) => url === path)
    expect(polls.map(({ headers }) => headers.prefer)).toEqual([undefined, 'wait=30', 'wait=30'])
  })

  it('polls when every stream ends before its first event', async () => {
    let asked = 0
    await using server = await startFailingServer((request, response) => {
      if (request.url !== `${path}/events`) {
        asked += 1
        return answerJson(response, 200, { id: 'a', status: asked < 8 ? 'processing' : 'failed' })
      }
      stream(response).write(': nothing\n\n')
      setTimeout(() => response.destroy(), 5)
    })
    const job = await untilEnded(createTransport({ baseUrl: server.url, key: 'k' }), path)
    expect(job).toMatchObject({ status: 'failed' })
    expect(server.seen.filter(({ url }) => url.endsWith('/events'))).toHaveLength(6)
  })

  it('fails at once when it is forbidden, and when it is aborted', async () => {
    await using server = await startFailingServer((request, response) => {
      if (request.url?.startsWith(path)) return answerJson(response, 404, { errorCode: 'not_found', msg: 'none' })
      if (request.url?.endsWith('/events')) stream(response).write(': nothing\n\n')
    })
    const transport = createTransport({ baseUrl: server.url, key: 'k' })
    await expect(untilEnded(transport, path)).rejects.toMatchObject({ name: 'NotFoundError' })
    expect(server.seen).toHaveLength(1)
    const waiting = untilEnded(transport, '/v1/process/jobs/b', { signal: AbortSignal.timeout(100) })
    await expect(waiting).rejects.toThrow()
  })
})
