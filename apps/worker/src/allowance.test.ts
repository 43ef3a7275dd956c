import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchAllowance } from './allowance.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const minute = { ms: 60_000, code: 'out_of_minutes_per_task' } as const

describe('the watch over minutes', () => {
  it('stops the run when they are over, and not before', () => {
    using watch = watchAllowance(minute, new AbortController().signal)
    vi.advanceTimersByTime(59_999)
    expect([watch.signal.aborted, watch.isOver]).toEqual([false, false])
    vi.advanceTimersByTime(1)
    expect([watch.signal.aborted, watch.isOver]).toEqual([true, true])
  })

  it('stops with the run from outside, and says that minutes were left', () => {
    const outside = new AbortController()
    using watch = watchAllowance(minute, outside.signal)
    outside.abort()
    expect([watch.signal.aborted, watch.isOver]).toEqual([true, false])
  })

  it('waits for nothing where minutes are not counted, or last longer than any task', () => {
    const { signal } = new AbortController()
    expect(watchAllowance(undefined, signal).signal).toBe(signal)
    expect(watchAllowance({ ...minute, ms: 2 ** 40 }, signal).signal).toBe(signal)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind', () => {
    watchAllowance(minute, new AbortController().signal)[Symbol.dispose]()
    expect(vi.getTimerCount()).toBe(0)
  })
})
