import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StreamNews } from './account-stream.ts'
import { type ReadStream, shareStream } from './share-stream.ts'

const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
  vi.restoreAllMocks()
})

let names = 0
const newName = () => `share-stream-test-${names++}`

interface Reading {
  readonly lastEventId: string
  readonly tell: (news: StreamNews) => void
  readonly signal: AbortSignal
}

/** A tab that shares a stream, with what it was told and the streams it has read. */
function openTab(name: string) {
  const stop = new AbortController()
  stops.push(stop)
  const news: StreamNews[] = []
  const readings: Reading[] = []
  const read: ReadStream = (tell, lastEventId, signal) => {
    readings.push({ tell, lastEventId, signal })
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const done = shareStream(name, read, (one) => void news.push(one), stop.signal).catch(() => undefined)
  function close(): Promise<void> {
    stop.abort()
    return done
  }
  return { news, readings, kinds: () => news.map(({ kind }) => kind), close }
}

const event = (id: string): StreamNews => ({ kind: 'event', id, event: { id } as never })

describe('a stream that tabs share', () => {
  it('is read by one of them, and all receive it', async () => {
    const name = newName()
    const [first, second] = [openTab(name), openTab(name)]
    await expect.poll(() => first.readings.length).toBe(1)
    first.readings[0]?.tell({ kind: 'opened' })
    first.readings[0]?.tell(event('1'))
    first.readings[0]?.tell({ kind: 'lost' })
    await expect.poll(second.kinds).toEqual(['opened', 'event', 'lost'])
    expect(first.kinds()).toEqual(['opened', 'event', 'lost'])
    expect(second.readings).toEqual([])
  })

  it('is open at once for a tab that comes later', async () => {
    const name = newName()
    const first = openTab(name)
    await expect.poll(() => first.readings.length).toBe(1)
    first.readings[0]?.tell({ kind: 'opened' })
    const second = openTab(name)
    await expect.poll(second.kinds).toEqual(['opened', 'beat'])
  })

  it('continues in another tab after the last event', async () => {
    const name = newName()
    const first = openTab(name)
    await expect.poll(() => first.readings.length).toBe(1)
    const second = openTab(name)
    first.readings[0]?.tell({ kind: 'opened' })
    first.readings[0]?.tell(event('7'))
    first.readings[0]?.tell({ kind: 'beat', id: '' })
    await expect.poll(second.kinds).toContain('event')
    await first.close()
    expect(first.readings[0]?.signal.aborted).toBe(true)
    await expect.poll(() => second.readings.map(({ lastEventId }) => lastEventId)).toEqual(['7'])
  })

  it('is not shared with tabs of another name', async () => {
    const [first, second] = [openTab(newName()), openTab(newName())]
    await expect.poll(() => [first.readings.length, second.readings.length]).toEqual([1, 1])
  })

  it('is taken over from a tab that says nothing for too long', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    try {
      const name = newName()
      const first = openTab(name)
      await vi.waitFor(() => expect(first.readings.length).toBe(1))
      const second = openTab(name)
      first.readings[0]?.tell({ kind: 'opened' })
      first.readings[0]?.tell(event('3'))
      await vi.waitFor(() => expect(second.kinds()).toContain('event'))
      for (let ms = 0; ms < 40_000; ms += 5_000) vi.advanceTimersByTime(5_000)
      expect(second.readings).toEqual([])
      // Something is heard: the time begins anew.
      first.readings[0]?.tell(event('4'))
      await vi.waitFor(() => expect(second.news.at(-1)).toEqual(event('4')))
      for (let ms = 0; ms < 55_000; ms += 5_000) vi.advanceTimersByTime(5_000)
      await vi.waitFor(() => expect(second.readings.map(({ lastEventId }) => lastEventId)).toEqual(['4']))
      await vi.waitFor(() => expect(first.readings[0]?.signal.aborted).toBe(true))
      expect(first.readings.length).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('stays where it is when the computer has slept', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    try {
      const name = newName()
      const first = openTab(name)
      await vi.waitFor(() => expect(first.readings.length).toBe(1))
      const second = openTab(name)
      first.readings[0]?.tell({ kind: 'opened' })
      await vi.waitFor(() => expect(second.kinds()).toContain('opened'))
      vi.setSystemTime(Date.now() + 3_600_000)
      vi.advanceTimersByTime(5_000)
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(second.readings).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })
})
