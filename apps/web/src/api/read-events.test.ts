import { describe, expect, it } from 'vitest'
import { readEvents } from './read-events.ts'

async function eventsOf(...pieces: string[]) {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      controller.close()
    },
  })
  return Array.fromAsync(readEvents(body))
}

describe('reading server-sent events', () => {
  it('gives id, type and data, whatever pieces they come in', async () => {
    expect(await eventsOf('id: 7\nevent: task.comp', 'leted\nda', 'ta: {"a":1}\n', '\n')).toEqual([
      { id: '7', type: 'task.completed', data: '{"a":1}' },
    ])
  })

  it('joins lines of data, and passes over comments', async () => {
    expect(await eventsOf(': alive\n\ndata: one\ndata: two\n\n')).toEqual([
      { id: '', type: 'message', data: 'one\ntwo' },
    ])
  })

  it('gives the id of a heartbeat, which has no data', async () => {
    expect(await eventsOf(': still here\nid: 8\n\n')).toEqual([{ id: '8', type: 'message', data: '' }])
  })

  it('forgets an event that was cut off', async () => {
    expect(await eventsOf('data: whole\n\ndata: half\n')).toEqual([{ id: '', type: 'message', data: 'whole' }])
  })
})
