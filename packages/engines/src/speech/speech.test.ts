import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import type { Plan, ProcessStep } from '../engine.ts'
import { planTask } from '../registry.ts'
import { injections } from '../testing/option-values.ts'
import { recognizeLimits, speechLimits } from './limits.ts'

const bytesPerSecond = 32_000
const source = { file: 'in-0.mp4', format: 'mp4', size: 1_000_000, filename: 'x.mp4' }

function planned(options: GivenOptions = {}, to = 'txt'): Plan {
  const plan = planTask({ operation: 'transcribe', sources: [source], to, options })
  if (isFailure(plan)) throw new Error(plan.text)
  return plan
}

/** The plan for a recording of this length. */
function planFor(seconds: number) {
  const next = planned().next?.({ stdout: [''], results: [{}], sizes: { 'speech-0.raw': seconds * bytesPerSecond } })
  if (next === undefined) throw new Error('nothing is planned')
  return next
}

function stepOf(plan: Plan): ProcessStep {
  const [step] = plan.steps
  if (step?.kind !== 'process') throw new Error('no process is planned')
  return step
}

describe('seconds of a recording to transcribe, 7,200', () => {
  it.each([
    ['one below', -1],
    ['the limit', 0],
    ['one above', 1],
  ])('%s [L-transcript-length]', (_, step) => {
    const plan = planFor(7200 + step)
    expect(isFailure(plan) ? plan.code : 'planned').toBe(step <= 0 ? 'planned' : 'limit_exceeded')
  })

  it('is decoded to just beyond, so that a longer one is noticed', () => {
    const { args } = stepOf(planned())
    expect(args[args.indexOf('-t') + 1]).toBe(String(speechLimits.seconds + 1))
  })
})

describe('a transcript', () => {
  it('has more time for a longer recording, and never more than the lifetime of a file', () => {
    const plan = planFor(60)
    if (isFailure(plan)) throw new Error(plan.text)
    expect(stepOf(plan).limits).toEqual(recognizeLimits(60))
    expect(recognizeLimits(60).timeMs).toBeLessThan(recognizeLimits(3600).timeMs)
    expect(recognizeLimits(speechLimits.seconds).timeMs).toBeLessThan(3.5 * 3_600_000)
  })

  it('reports its progress, and ignores other lines', () => {
    const plan = planFor(60)
    if (isFailure(plan)) throw new Error(plan.text)
    const read = stepOf(plan).readProgress
    expect(read?.('done 0.2500')).toBe(0.25)
    expect(read?.('done 1.0000')).toBe(1)
    for (const line of ['done 7.5', 'done -1', 'done 0.1.2', '0.5', 'done nan']) expect(read?.(line)).toBeUndefined()
  })

  it('always has a warning about its accuracy [D-op-86]', () => {
    expect(planned().warnings).toEqual([expect.stringMatching(/Expect errors.*US English/)])
  })

  it('takes no language but the listed ones', () => {
    for (const language of [...injections, '../../etc', 'de-DE', 'en-us']) {
      const plan = planTask({ operation: 'transcribe', sources: [source], to: 'txt', options: { language } })
      expect(plan).toMatchObject({ kind: 'failure', code: 'unsupported' })
    }
    expect(stepOf(planned({ language: 'en-US' })).args).toEqual(stepOf(planned()).args)
  })
})
