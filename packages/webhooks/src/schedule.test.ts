import { failure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { judgeTry } from './judge-try.ts'
import { nextTryAt, parseRetryAfter, tryDelaysMs } from './schedule.ts'

const now = new Date('2026-01-01T00:00:00Z')
const answer = (status: number, headers: Record<string, string> = {}) => ({ status, headers, text: '' })

describe('the schedule', () => {
  it('has ten attempts over 75.5 hours', () => {
    expect(tryDelaysMs).toHaveLength(10)
    expect(tryDelaysMs.reduce((sum, delay) => sum + delay, 0) / 3_600_000).toBeCloseTo(75.6, 1)
  })

  it('adds a random delay of up to 5 %, and is never earlier [D-event-44]', () => {
    for (const [tries, delay] of tryDelaysMs.entries()) {
      for (const chance of [0, 0.5, 1]) {
        const at = nextTryAt({ tries, now, chance })
        expect((at?.getTime() ?? 0) - now.getTime()).toBe(Math.round(delay * (1 + 0.05 * chance)))
      }
    }
    expect(nextTryAt({ tries: 10, now, chance: 0 })).toBeUndefined()
  })

  it('lets a receiver request a longer delay, up to an hour, and no shorter one', () => {
    const after = (tries: number, retryAfterMs: number) =>
      (nextTryAt({ tries, now, retryAfterMs, chance: 0 })?.getTime() ?? 0) - now.getTime()
    expect(after(1, 600_000)).toBe(600_000)
    expect(after(1, 99_999_999)).toBe(3_600_000)
    expect(after(4, 1_000)).toBe(2 * 3_600_000)
  })

  it('reads Retry-After as seconds or a date, and nothing else', () => {
    expect(parseRetryAfter('120', now)).toBe(120_000)
    expect(parseRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60_000)
    expect(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0)
    for (const text of [undefined, '', '-5', '1e9', 'soon', '99999999999']) {
      expect(parseRetryAfter(text, now)).toBeUndefined()
    }
  })
})

describe('an attempt', () => {
  const judge = (outcome: Parameters<typeof judgeTry>[0]['outcome'], tries = 0, once = false) =>
    judgeTry({ outcome, tries, once, now, chance: 0 }).kind

  it('succeeds with any 2xx, and unsubscribes with 410', () => {
    for (const status of [200, 201, 204, 299]) expect(judge(answer(status))).toBe('delivered')
    expect(judge(answer(410))).toBe('gone')
  })

  it('is repeated after any other response, redirects too, until the tenth has failed [D-event-45]', () => {
    const others = [answer(199), answer(301), answer(400), answer(404), answer(500), failure('source_unreachable')]
    for (const outcome of others) {
      for (let tries = 0; tries < 9; tries++) expect(judge(outcome, tries)).toBe('again')
      expect(judge(outcome, 9)).toBe('exhausted')
    }
  })

  it('of a test is made once', () => {
    expect(judge(answer(500), 0, true)).toBe('exhausted')
    expect(judge(answer(204), 0, true)).toBe('delivered')
  })
})
