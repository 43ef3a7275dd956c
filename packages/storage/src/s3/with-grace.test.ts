import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withGrace } from './with-grace.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function silent(late: AbortSignal): Promise<never> {
  return new Promise((_, reject) => late.addEventListener('abort', () => reject(new Error('torn off'))))
}

describe('withGrace', () => {
  it('lets the work finish after an abort', async () => {
    const controller = new AbortController()
    const answer = Promise.withResolvers<string>()
    const working = withGrace(controller.signal, () => answer.promise)
    controller.abort()
    answer.resolve('done')
    expect(await working).toBe('done')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stops waiting for a silent store two seconds after the abort, with its reason', async () => {
    const controller = new AbortController()
    const working = withGrace(controller.signal, silent)
    controller.abort(new Error('canceled'))
    const ended = expect(working).rejects.toThrow('canceled')
    await vi.advanceTimersByTimeAsync(1_999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    await ended
    expect(vi.getTimerCount()).toBe(0)
  })

  it('passes on errors, and releases the signal', async () => {
    const controller = new AbortController()
    await expect(withGrace(controller.signal, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    controller.abort()
    expect(vi.getTimerCount()).toBe(0)
  })
})
