import { describe, expect, it } from 'vitest'
import { compare, sharedWords } from './compare.ts'
import type { Judged, Outcome } from './outcome.ts'

const judged = (outcome: Partial<Outcome>, words = ''): Judged => ({
  outcome: { end: 'converted', ms: 1, ...outcome },
  words,
})
const pdf = (pages: number) => ({ facts: { format: 'pdf', pages } })

describe('our result next to the bare tool’s', () => {
  it.each([
    ['same', judged(pdf(2), 'a b'), judged(pdf(2), 'a b')],
    ['same', judged(pdf(3)), judged(pdf(2))],
    ['worse', judged(pdf(1)), judged(pdf(2))],
    ['worse', judged(pdf(1), 'a b c'), judged(pdf(1), 'a b c d')],
    ['worse', judged({ end: 'input_damaged' }), judged(pdf(1))],
    ['better', judged(pdf(1)), judged({ end: 'exit 1' })],
    ['neither', judged({ end: 'input_damaged' }), judged({ end: 'exit 1' })],
    [
      'worse',
      judged({ facts: { format: 'mp4', videoCodec: 'h264' } }),
      judged({ facts: { format: 'mp4', videoCodec: 'h264', audioCodec: 'aac' } }),
    ],
    [
      'worse',
      judged({ facts: { format: 'mp3', durationMs: 1000 } }),
      judged({ facts: { format: 'mp3', durationMs: 2000 } }),
    ],
    [
      'same',
      judged({ facts: { format: 'mp3', durationMs: 1950 } }),
      judged({ facts: { format: 'mp3', durationMs: 2000 } }),
    ],
    [
      'worse',
      judged({ facts: { format: 'png', width: 10, height: 10 } }),
      judged({ facts: { format: 'png', width: 20, height: 20 } }),
    ],
    ['worse', judged({ look: '0'.repeat(32) }), judged({ look: 'f'.repeat(32) })],
  ] as const)('is %s', (verdict, ours, bare) => {
    const facts = { facts: { format: 'png' } }
    const complete = (one: Judged): Judged => ({ ...one, outcome: { ...facts, ...one.outcome } })
    expect(compare(complete(ours), complete(bare)).verdict).toBe(verdict)
  })

  it('has fewer pages where a page holds more', () => {
    const sized = (pages: number, height: number) => judged({ facts: { format: 'pdf', pages, width: 400, height } })
    expect(compare(sized(2, 800), sized(4, 400)).verdict).toBe('same')
    expect(compare(sized(2, 400), sized(4, 400)).verdict).toBe('worse')
  })

  it('says what is missing', () => {
    expect(compare(judged(pdf(1)), judged(pdf(2))).why).toBe('1 pages instead of 2')
    expect(compare(judged({ end: 'input_damaged', text: 'x' }), judged(pdf(2))).why).toBe('input_damaged: x')
  })
})

describe('the words two texts share', () => {
  it('are counted as often as they occur, without marks between them', () => {
    expect(sharedWords('one, two', 'one two two two')).toBe(0.5)
    expect(sharedWords('Größe 世界', 'Größe; 世界')).toBe(1)
  })

  it('are undefined if a text has none', () => {
    expect(sharedWords('one', ' - ')).toBeUndefined()
  })
})
