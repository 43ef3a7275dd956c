import { createMetrics } from '@lathe/runtime'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWaiters } from './waiters.ts'

const id = '66f2c1a0000100a1b2c3d4e5'

function setUp(limit = 10, perKey = limit) {
  const waiters = createWaiters({ limit, perKey, metrics: createMetrics() })
  const state = { value: 'processing' as string | undefined, looks: 0 }
  const wait = (seconds: number, signal = new AbortController().signal, keyId = 'key') =>
    waiters.waitFor<string>({
      id,
      keyId,
      seconds,
      signal,
      look: async () => {
        state.looks++
        return state.value
      },
      isOver: (value) => value === 'completed',
    })
  return { waiters, state, wait }
}

describe('waiting for the end of a task or job', () => {
  it('answers at once when it has ended', async () => {
    const { state, wait } = setUp()
    state.value = 'completed'
    expect(await wait(60)).toBe('completed')
    expect(state.looks).toBe(1)
  })

  it('answers as soon as the end is signalled', async () => {
    const { waiters, state, wait } = setUp()
    // No time passes, so the regular look never comes.
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const answer = wait(60)
    state.value = 'completed'
    waiters.wake(id)
    expect(await answer).toBe('completed')
    expect(state.looks).toBe(2)
  })

  it('sees the end without a signal within about a second', async () => {
    const { state, wait } = setUp()
    const answer = wait(60)
    queueMicrotask(() => queueMicrotask(() => (state.value = 'completed')))
    expect(await answer).toBe('completed')
  })

  it('returns the current state when the time is up', async () => {
    expect(await setUp().wait(0)).toBe('processing')
  })

  it('returns undefined when the record is gone', async () => {
    const { state, wait } = setUp()
    state.value = undefined
    expect(await wait(60)).toBeUndefined()
  })

  it('ends when the client disconnects and when the process stops', async () => {
    const one = setUp()
    const client = new AbortController()
    const left = one.wait(60, client.signal)
    client.abort()
    expect(await left).toBe('processing')
    const held = one.wait(60)
    one.waiters.stop()
    expect(await held).toBe('processing')
    expect(await one.wait(60)).toBe('processing')
  })

  it('is limited in number; the next is answered at once', async () => {
    const { waiters, wait } = setUp(1)
    const held = wait(60)
    expect(await wait(60)).toBe('processing')
    waiters.stop()
    await held
  })

  it('S13: is limited per key, and leaves room for other keys', async () => {
    const { waiters, state, wait } = setUp(10, 2)
    const forever = new AbortController().signal
    const held = [wait(60), wait(60)]
    expect(await wait(60)).toBe('processing')
    const other = wait(60, forever, 'other')
    const looks = state.looks
    expect(await Promise.race([other, new Promise((resolve) => setImmediate(() => resolve('held')))])).toBe('held')
    expect(looks).toBe(4)
    waiters.stop()
    await Promise.all([...held, other])
  })
})
