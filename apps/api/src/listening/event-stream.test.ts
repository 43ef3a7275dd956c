import type { Event } from '@lathe/contract'
import type { Hub, Listener } from '@lathe/events'
import { describe, expect, it } from 'vitest'
import { createEventStream } from './event-stream.ts'

/** A hub whose only listener is controlled by the test. */
function createStage(look = async () => ({ subjectId: 'a', seq: 1e9, isOver: false }), heartbeatMs = 1e6) {
  const heard: Listener[] = []
  let wakes = 0
  let stalls = 0
  let hasLeft = false
  const hub: Pick<Hub, 'watchSubject'> = {
    watchSubject(_, listener) {
      heard.push(listener)
      return {
        wake: () => {
          wakes += 1
        },
        [Symbol.dispose]: () => {
          hasLeft = true
        },
      }
    },
  }
  const stream = createEventStream({
    hub: hub as Hub,
    choice: { subjectId: 'a', after: 0 },
    heartbeatMs,
    look,
    onStalled: () => {
      stalls += 1
    },
  })
  const [listener] = heard
  if (!listener) throw new Error('nobody listens')
  return { stream, listener, wakes: () => wakes, stalls: () => stalls, hasLeft: () => hasLeft }
}

const large = (seq: number) =>
  ({ id: 'x', type: 'task.started', seq, createdAt: '', data: { text: 'x'.repeat(32_000) } }) as unknown as Event

function fill(listener: Listener): number {
  let seq = 0
  while (listener.room() > 0) listener.take([large(++seq)], { subjectId: 'a', through: seq })
  return seq
}

describe('a stream whose reader is slow [D-event-19]', () => {
  it('buffers a limited amount, and continues when the reader has caught up', async () => {
    const { stream, listener, wakes } = createStage()
    const filled = fill(listener)
    expect(filled).toBeGreaterThan(5)
    expect(filled).toBeLessThan(20)
    expect(stream.bytes.readableLength).toBeLessThan(400_000)
    const before = wakes()
    for await (const _ of stream.bytes) if (stream.bytes.readableLength === 0) break
    expect(wakes()).toBeGreaterThan(before)
  })

  it('is closed when nothing was read between two heartbeats, and not before', async () => {
    const { stream, listener, stalls, hasLeft } = createStage(undefined, 40)
    fill(listener)
    expect(stalls()).toBe(0)
    await expect.poll(stalls, { timeout: 20_000 }).toBeGreaterThan(0)
    stream.bytes.destroy()
    await expect.poll(hasLeft).toBe(true)
  })
})

describe('a stream', () => {
  it('ends only after everything was sent', async () => {
    const place = { subjectId: 'a', seq: 2, isOver: true }
    const { stream, listener } = createStage(async () => place)
    const end = { ...large(1), type: 'task.completed' } as Event
    listener.take([end], { subjectId: 'a', through: 1 })
    let isEnded = false
    stream.bytes.resume().once('end', () => {
      isEnded = true
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isEnded).toBe(false)
    listener.take([], { subjectId: 'a', through: 2 })
    await expect.poll(() => isEnded, { timeout: 20_000 }).toBe(true)
  })

  it('ignores writes after its end', async () => {
    const { stream, listener } = createStage()
    stream.end()
    stream.end()
    expect(listener.room()).toBe(0)
    listener.take([large(1)], { subjectId: 'a', through: 1 })
    const chunks: Buffer[] = []
    for await (const chunk of stream.bytes) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toBe('retry: 2000\n\n')
  })
})
