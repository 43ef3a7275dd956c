import { isFailure } from '@lathe/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxRounds, type Plan, type ProcessStep } from '../engine.ts'
import { found, planAfterProbe, sure, video } from '../testing/probed-media.ts'

/** Compresses a one-megabyte video with an encoder that returns a size for each bit rate. */
function compress(target: number, encoder: (kbps: number, width: number, sound: number) => number, from = 'mp4') {
  const plan = planAfterProbe({
    operation: 'compress',
    from,
    to: from,
    options: { target_size: target },
    answer: video,
  })
  if (isFailure(plan)) return { end: plan, tries: [] as number[], rounds: 0 }
  let current: Plan = plan
  const sizes: Record<string, number> = {}
  const tries: number[] = []
  for (let rounds = 2; rounds <= maxRounds; rounds += 1) {
    const last = current.steps.at(-1) as ProcessStep | undefined
    const file = current.outputs[0]?.file ?? ''
    if (last) {
      const [, rate = '0'] = /-b:v ([\d.]+)k/.exec(last.args.join(' ')) ?? []
      const [, sound = '0'] = /-b:a:0 ([\d.]+)k/.exec(last.args.join(' ')) ?? []
      const [, width = '640'] = /scale=(\d+)/.exec(last.args.join(' ')) ?? []
      sizes[file] = Math.round(encoder(Number(rate), Number(width), Number(sound)))
      tries.push(sizes[file])
    }
    const next = current.next?.(
      found(
        current.steps.map(() => ''),
        sizes,
      ),
    )
    if (next === undefined) return { end: current, tries, rounds, size: sizes[file] ?? 1e6 }
    if (isFailure(next)) return { end: next, tries, rounds }
    current = next
  }
  throw new Error('planned on and on')
}

/** Size of 10 s at a bit rate, with 100 kbit/s of audio and some headers. */
const honest = (kbps: number) => (kbps + 100) * 1250 + 9000

describe('a target size', () => {
  it('is reached at once by an encoder that keeps to its rate', () => {
    const { tries, size } = compress(500_000, (kbps) => (kbps + 80) * 1250 + 6000)
    expect(tries.length).toBeLessThanOrEqual(2)
    expect(size).toBeGreaterThan(485_000)
    expect(size).toBeLessThanOrEqual(500_000)
  })

  it('runs the first pass once', () => {
    const first = planAfterProbe({ operation: 'compress', from: 'mp4', to: 'mp4', options: { target_size: 500_000 } })
    expect(sure(first).steps).toHaveLength(2)
    const second = sure(sure(first).next?.(found([], { 'try-0-0.mp4': 600_000 })))
    expect(second.steps).toHaveLength(1)
    expect((second.steps[0] as ProcessStep).args.join(' ')).toContain('-pass 2 -passlogfile pass-0')
  })

  it('is never exceeded, and met within 3 % by any encoder that answers to its rate', () => {
    const bend = fc.record({
      slope: fc.double({ min: 0.5, max: 2, noNaN: true }),
      power: fc.double({ min: 0.7, max: 1.3, noNaN: true }),
      fixed: fc.integer({ min: 0, max: 40_000 }),
    })
    fc.assert(
      fc.property(bend, fc.integer({ min: 150_000, max: 990_000 }), ({ slope, power, fixed }, target) => {
        const encoder = (kbps: number) => fixed + 90_000 + slope * 700_000 * (kbps / 600) ** power
        const { end, size } = compress(target, encoder)
        if (isFailure(end)) return
        expect(size).toBeLessThanOrEqual(target)
        expect(size).toBeGreaterThanOrEqual(target * 0.97)
      }),
    )
  })

  it('makes the image smaller where the rate cannot be lowered', () => {
    const { size, end } = compress(100_000, (kbps, width) => Math.max(honest(kbps) / 4, 180_000 * (width / 640) ** 2))
    expect(isFailure(end)).toBe(false)
    expect(size).toBeLessThanOrEqual(100_000)
  })

  it('of a video in which nothing moves is met by its audio', () => {
    const encoder = (kbps: number, _: number, sound: number) => Math.min(kbps * 1250, 8000) + sound * 1250 + 2000
    const { size } = compress(140_000, encoder)
    expect(size).toBeLessThanOrEqual(140_000)
    expect(size).toBeGreaterThanOrEqual(140_000 * 0.97)
  })

  it('that an encoder skips is reached by the audio bit rate, from the closest video bit rate', () => {
    const encoder = (kbps: number, _: number, sound: number) => (kbps < 235 ? 290_000 : 340_000) + sound * 1250
    const { size } = compress(400_000, encoder)
    expect(size).toBeLessThanOrEqual(400_000)
    expect(size).toBeGreaterThanOrEqual(400_000 * 0.97)
  })

  it('is not reached if neither video nor audio need the space', () => {
    const { size, tries } = compress(500_000, () => 100_000)
    expect(size).toBe(100_000)
    expect(tries.length).toBeLessThanOrEqual(4)
  })

  it('that cannot be met fails, saying what was reached', () => {
    const { end } = compress(50_000, () => 60_000)
    expect(end).toMatchObject({ code: 'unsupported', text: expect.stringContaining('60000') })
  })

  it('above the size of the file gives the original', () => {
    const { end } = compress(1_000_000, honest)
    expect(end).toMatchObject({
      steps: [],
      outputs: [{ file: 'in-0.mp4' }],
      warnings: [expect.stringContaining('original')],
    })
  })

  it('counts in percent as well, and hands out the original where nothing is gained', () => {
    const plan = planAfterProbe({ operation: 'compress', from: 'mp4', to: 'mp4', options: { percent: 50 } })
    expect(sure(plan).outputs).toMatchObject([{ unlessSmallerThan: 'in-0.mp4' }])
    const quality = sure(planAfterProbe({ operation: 'compress', from: 'mp4', to: 'mp4' }))
    expect(quality.outputs).toMatchObject([{ unlessSmallerThan: 'in-0.mp4' }])
    expect((quality.steps[0] as ProcessStep).args.join(' ')).toContain('-crf 28')
  })
})
