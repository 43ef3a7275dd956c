import { filesExpireAt, firstIdAt, retention } from '@lathe/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketAt, expiredPrefixes, objectKey, parseKey, parsePrefix, readKey } from './object-key.ts'

const seconds = fc.integer({ min: 1_600_000_000, max: 4_000_000_000 })
const ms = fc.integer({ min: 0, max: 999 })

function keyMadeAt(second: number): string {
  return objectKey({ taskId: firstIdAt(new Date(second * 1000)), attempt: 1, n: 0 })
}

function isSwept(key: string, now: Date): boolean {
  const [bucket = ''] = key.split('/')
  return expiredPrefixes([bucket], now).some((prefix) => key.startsWith(prefix))
}

describe('objectKey', () => {
  it('begins with the five minutes of the task, so that prefixes sort by time', () => {
    const taskId = firstIdAt(new Date('2026-01-02T03:04:05Z'))
    const start = String(Date.parse('2026-01-02T03:00:00Z') / 1000)
    expect(objectKey({ taskId, attempt: 2, n: 7 })).toBe(`${start}/${taskId}/2/7`)
  })

  it('returns one key whatever the case of the id', () => {
    const parts = { attempt: 1, n: 0 }
    const id = '65abcdef0000000000abcdef'
    expect(objectKey({ ...parts, taskId: id.toUpperCase() })).toBe(objectKey({ ...parts, taskId: id }))
  })

  it('refuses ids and attempts that are not plain', () => {
    const taskId = '65abcdef0000000000abcdef'
    expect(() => objectKey({ taskId: '../../etc', attempt: 1, n: 0 })).toThrow(TypeError)
    expect(() => objectKey({ taskId, attempt: '../1', n: 0 })).toThrow(TypeError)
  })
})

describe('readKey', () => {
  const taskId = '65abcdef0000000000abcdef'
  it('gives the task, and the attempt of a worker', () => {
    const read = (attempt: number | string) => readKey(objectKey({ taskId, attempt, n: 0 }))
    expect(read('12-0123456789abcdef')).toEqual({ taskId, attempt: 12 })
    for (const other of [0, 'u0123456789abcdef', 'r0123456789abcdef', '1-short'])
      expect(read(other)).toEqual({ taskId, attempt: undefined })
  })

  it.each(['', '1700000100/check/x', `x/${taskId}/0/0`, `1700000100/${taskId}/0`, `1700000100/${taskId}/0/0/0`])(
    'returns nothing for %j',
    (key) => {
      expect(readKey(key)).toBeUndefined()
    },
  )
})

describe('expiredPrefixes', () => {
  it('never names a file that is younger than its four hours [S-gen-18]', () => {
    fc.assert(
      fc.property(seconds, ms, fc.integer({ min: 0, max: retention.fileMs - 1 }), (second, part, ageMs) => {
        const createdAt = new Date(second * 1000 + part)
        const now = new Date(createdAt.getTime() + ageMs)
        expect(now < filesExpireAt(createdAt)).toBe(true)
        expect(isSwept(keyMadeAt(second), now)).toBe(false)
      }),
      { numRuns: 5_000 },
    )
  })

  it('names the whole prefix of everything older than four hours and five minutes', () => {
    const late = fc.integer({ min: retention.fileMs + retention.prefixMs, max: 10 * retention.fileMs })
    fc.assert(
      fc.property(seconds, ms, late, (second, part, ageMs) => {
        const createdAt = new Date(second * 1000 + part)
        const now = new Date(createdAt.getTime() + ageMs)
        expect(expiredPrefixes([bucketAt(createdAt)], now)).toEqual([bucketAt(createdAt)])
      }),
      { numRuns: 2_000 },
    )
  })

  it('reaches every file within 20 seconds of its four hours [S-gen-18, D-state-29]', () => {
    fc.assert(
      fc.property(seconds, ms, fc.integer({ min: 20_000, max: 600_000 }), (second, part, lateMs) => {
        const now = new Date(second * 1000 + part + retention.fileMs + lateMs)
        expect(isSwept(keyMadeAt(second), now)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  it('ignores prefixes that are not times', () => {
    const now = new Date('2100-01-01T00:00:00Z')
    expect(expiredPrefixes(['backup', '17', '17000001000', '1700000100x'], now)).toEqual([])
  })

  it('returns at most twenty slices of the current prefix', () => {
    const now = new Date(1_700_000_100_000 + retention.fileMs + retention.prefixMs - 1)
    const slices = expiredPrefixes(['1700000100'], now)
    expect(slices.length).toBeGreaterThan(15)
    expect(slices.length).toBeLessThanOrEqual(20)
  })
})

describe('keys and prefixes', () => {
  const hostile = [
    '',
    '/',
    '/a',
    'a//b',
    '../a',
    'a/../b',
    'a/.',
    '.tmp/a',
    'a\\b',
    'a\0b',
    'a b',
    'a\n',
    'é',
    'a'.repeat(600),
  ]

  it.each(hostile)('refuses %j as a key and as a prefix', (text) => {
    expect(() => parseKey(text)).toThrow(TypeError)
    expect(() => parsePrefix(text)).toThrow(TypeError)
  })

  it('accepts a trailing slash in a prefix only', () => {
    expect(parsePrefix('1700000100/')).toBe('1700000100/')
    expect(() => parseKey('1700000100/')).toThrow(TypeError)
  })
})
