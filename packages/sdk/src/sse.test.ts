import { describe, expect, it, vi } from 'vitest'
import { readEvents } from './sse.ts'

function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      controller.close()
    },
  })
}

async function eventsOf(...pieces: string[]) {
  const all = []
  for await (const event of readEvents(streamOf(pieces))) all.push(event)
  return all
}

describe('reading server-sent events', () => {
  it('gives id, type and data, whatever pieces they come in', async () => {
    expect(await eventsOf('id: 7\nevent: task.comp', 'leted\nda', 'ta: {"a":1}\n', '\n')).toEqual([
      { id: '7', type: 'task.completed', data: '{"a":1}' },
    ])
  })

  it('joins lines of data, and passes over comments and unknown fields', async () => {
    expect(await eventsOf(': alive\n\nretry: 10\ndata:one\ndata\ndata:  two\n\n')).toEqual([
      { id: '', type: 'message', data: 'one\n\n two' },
    ])
  })

  it('gives the id of a heartbeat, which has no data', async () => {
    expect(await eventsOf(': still here\nid: 8\n\n')).toEqual([{ id: '8', type: 'message', data: '' }])
  })

  it('gives an event without an id that of the one before it', async () => {
    const ids = (await eventsOf('id: 8\ndata: a\n\ndata: b\n\nid: 9\0\ndata: c\n\nid\ndata: d\n\n')).map(({ id }) => id)
    expect(ids).toEqual(['8', '8', '8', ''])
  })

  it('forgets an event that was cut off', async () => {
    expect(await eventsOf('data: whole\n\ndata: half\n')).toEqual([{ id: '', type: 'message', data: 'whole' }])
  })

  it.each(['\n', '\r', '\r\n'])('ends lines at %j, also between two pieces', async (end) => {
    const text = `\u{feff}data: one${end}data: two${end}${end}data: three${end}${end}`
    const expected = ['one\ntwo', 'three']
    expect((await eventsOf(text)).map(({ data }) => data)).toEqual(expected)
    expect((await eventsOf(...text)).map(({ data }) => data)).toEqual(expected)
  })

  it('reports everything that arrives', async () => {
    const onBytes = vi.fn()
    for await (const _ of readEvents(streamOf([': alive', '\n', 'data: a\n\n']), onBytes));
    expect(onBytes).toHaveBeenCalledTimes(3)
  })
})
