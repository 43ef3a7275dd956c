import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEngineClock } from './engine-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const minute = { ms: 60_000, code: 'out_of_minutes_per_task' } as const

describe('the clock of engines', () => {
  it('stops the run when its minutes are over, and not before [S-err-22, D-op-62]', () => {
    using clock = createEngineClock(minute, new AbortController().signal)
    clock.start()
    vi.advanceTimersByTime(59_999)
    expect([clock.signal.aborted, clock.isOver]).toEqual([false, false])
    vi.advanceTimersByTime(1)
    expect([clock.signal.aborted, clock.isOver]).toEqual([true, true])
  })

  it('R7: is paused while no engine runs, and adds up the times of several', () => {
    using clock = createEngineClock(minute, new AbortController().signal)
    vi.advanceTimersByTime(600_000)
    expect([clock.ms, clock.isOver]).toEqual([0, false])
    for (const ms of [30_000, 29_000]) {
      clock.start()
      vi.advanceTimersByTime(ms)
      clock.stop()
      vi.advanceTimersByTime(600_000)
    }
    expect([clock.ms, clock.isOver]).toEqual([59_000, false])
    clock.start()
    vi.advanceTimersByTime(1_000)
    expect(clock.isOver).toBe(true)
  })

  it('stops when the run is aborted, and reports that minutes were left', () => {
    const outside = new AbortController()
    using clock = createEngineClock(minute, outside.signal)
    clock.start()
    outside.abort()
    expect([clock.signal.aborted, clock.isOver]).toEqual([true, false])
  })

  it('sets no timer where minutes are not counted, or last longer than any task', () => {
    const { signal } = new AbortController()
    for (const allowance of [undefined, { ...minute, ms: 2 ** 40 }]) {
      const clock = createEngineClock(allowance, signal)
      clock.start()
      expect(clock.signal).toBe(signal)
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind', () => {
    const clock = createEngineClock(minute, new AbortController().signal)
    clock.start()
    clock[Symbol.dispose]()
    expect(vi.getTimerCount()).toBe(0)
  })
})
