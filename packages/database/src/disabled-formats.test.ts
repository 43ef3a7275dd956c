import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Executor } from './database.ts'
import { createDisabledFormats } from './disabled-formats.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A fake PostgreSQL for the reader: every query gets the next answer. */
function answering(...answers: (() => Promise<unknown[]>)[]) {
  let asked = 0
  const query = async () => {
    const answer = answers[asked]
    asked += 1
    if (!answer) throw new Error('asked too often')
    return { rows: await answer() }
  }
  return { formats: createDisabledFormats({ query } as unknown as Executor), asked: () => asked }
}

const [heic, gif] = [{ input: 'heic' }, { output: 'gif' }]
const away = async () => {
  throw new Error('away')
}

describe('what is switched off', () => {
  it('is read once in two seconds for any number of callers, and again after that', async () => {
    const { formats, asked } = answering(
      async () => [heic],
      async () => [heic, gif],
    )
    expect(await Promise.all([formats.rules(), formats.rules()])).toEqual([[heic], [heic]])
    vi.advanceTimersByTime(1900)
    expect([await formats.rules(), asked()]).toEqual([[heic], 1])
    vi.advanceTimersByTime(200)
    expect([await formats.rules(), asked()]).toEqual([[heic, gif], 2])
  })

  it('is the last known state while PostgreSQL is down, and unknown before that', async () => {
    const { formats } = answering(away, async () => [heic], away)
    await expect(formats.rules()).rejects.toThrow('away')
    expect(await formats.rules()).toEqual([heic])
    vi.advanceTimersByTime(3000)
    expect(await formats.rules()).toEqual([heic])
  })

  it('is not waited for longer than a second where it was known before', async () => {
    const { formats } = answering(
      async () => [heic],
      () => new Promise(() => {}),
    )
    await formats.rules()
    vi.advanceTimersByTime(3000)
    const rules = formats.rules()
    vi.advanceTimersByTime(1000)
    expect(await rules).toEqual([heic])
  })
})
