import { describe, expect, it } from 'vitest'
import { type CostQuestion, expectedLane, expectedSeconds } from './expected-cost.ts'
import { advertised, findEngine } from './registry.ts'

const MiB = 1024 ** 2
const ask = (format: string, to: string, size: number): CostQuestion => ({
  operation: 'convert',
  sources: [{ format, size }],
  to,
  options: {},
})

describe('F: what a task is expected to cost', () => {
  it('distinguishes images and letters from videos and scanned books', () => {
    expect(expectedLane(ask('png', 'webp', 12 * MiB))).toBe('quick')
    expect(expectedLane(ask('docx', 'pdf', MiB))).toBe('quick')
    expect(expectedLane(ask('mov', 'mp4', 40 * MiB))).toBe('long')
    expect(expectedLane(ask('mp4', 'webm', 1 * MiB))).toBe('quick')
    expect(expectedLane({ ...ask('pdf', 'pdf', 20 * MiB), options: { ocr: true } })).toBe('long')
  })

  it('grows with the sizes of all inputs, and knows the rates of every engine', () => {
    const one = expectedSeconds(ask('jpg', 'png', MiB))
    const sources = [
      { format: 'jpg', size: MiB },
      { format: 'jpg', size: 2 * MiB },
    ]
    expect(expectedSeconds({ ...ask('jpg', 'png', 0), sources })).toBeGreaterThan(2 * one)
    for (const { operation, from, to } of advertised) {
      const engine = findEngine(operation, from, to)
      const question = { operation, sources: [{ format: from, size: MiB }], to, options: {} }
      expect(expectedSeconds(question), `${engine?.id} ${from} ${to}`).toBeGreaterThan(0.1)
    }
  })
})
