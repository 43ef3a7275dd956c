import { describe, expect, it } from 'vitest'
import { type LastSign, noteSigns, type Signs } from './watch-silence.ts'

const signs: Signs = { reported: 3, bytes: 100, cpuMs: 500 }
const last: LastSign = { at: 10, signs }
const note = (change: Partial<Signs>) => noteSigns(last, { ...signs, ...change }, 20, 1000).at

describe('a sign of life', () => {
  it.each<[string, Partial<Signs>]>([
    ['a line told', { reported: 4 }],
    ['a file that grows', { bytes: 101 }],
    ['a file that shrinks', { bytes: 99 }],
    ['time spent on a core', { cpuMs: 511 }],
    ['a busy process that ended', { cpuMs: 100 }],
  ])('is %s', (_, change) => {
    expect(note(change)).toBe(20)
  })

  it('is not a wake-up for a timer', () => {
    expect(note({})).toBe(10)
    expect(note({ cpuMs: 510 })).toBe(10)
  })

  it('is slow work that adds up', () => {
    const slow = Array.from({ length: 5 }, (_, n) => 500 + 5 * (n + 1))
    const end = slow.reduce((seen, cpuMs, n) => noteSigns(seen, { ...signs, cpuMs }, 20 + n, 1000), last)
    expect(end.at).toBe(22)
  })
})
