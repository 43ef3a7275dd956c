import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchSilence } from './watch-silence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

describe('watching a stream for silence', () => {
  it('aborts soon after the limit if nothing is heard', () => {
    const watch = watchSilence(45_000, never)
    vi.advanceTimersByTime(45_000)
    expect(watch.signal.aborted).toBe(false)
    vi.advanceTimersByTime(5000)
    expect(watch.signal.aborted).toBe(true)
    watch.stop()
  })

  it('does not abort as long as something is heard in time', () => {
    const watch = watchSilence(45_000, never)
    for (let n = 0; n < 20; n += 1) {
      vi.advanceTimersByTime(15_000)
      watch.heard(45_000)
    }
    expect(watch.signal.aborted).toBe(false)
    watch.stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('notices a sleep as soon as timers run again', () => {
    const watch = watchSilence(45_000, never)
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(5000)
    expect(watch.signal.aborted).toBe(true)
    watch.stop()
  })

  it('aborts with the signal that was given', () => {
    const outer = new AbortController()
    const watch = watchSilence(45_000, outer.signal)
    outer.abort()
    expect(watch.signal.aborted).toBe(true)
    watch.stop()
  })
})
