import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { encodeLimits, mediaLimits } from '../media/limits.ts'
import { planAfterProbe, videoWith } from '../testing/probed-media.ts'

const GiB = 1024 ** 3
const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

const lasting = (seconds: number) => videoWith({}, { duration: String(seconds) })
const codeOf = (plan: ReturnType<typeof planAfterProbe>) => (isFailure(plan) ? plan.code : 'planned')
const endOf = (step: number) => (step <= 0 ? 'planned' : 'limit_exceeded')

describe('images of a video, 2,000', () => {
  it.each(steps)('%s [L-video-pictures]', (_, step) => {
    const answer = lasting((mediaLimits.pictures + step) / 2)
    expect(codeOf(planAfterProbe({ to: 'png', answer, options: { every: 0.5 } }))).toBe(endOf(step))
  })
})

describe('frames of an animation made of a video, 2,000', () => {
  it.each(steps)('%s [L-video-animation]', (_, step) => {
    const answer = lasting((mediaLimits.animationFrames + step) / 10)
    expect(codeOf(planAfterProbe({ to: 'webp', answer, options: { fps: 10 } }))).toBe(endOf(step))
  })
})

describe('files that a recording is split into, 500', () => {
  it.each(steps)('%s [L-media-parts]', (_, step) => {
    const answer = lasting((mediaLimits.parts + step) * 2)
    const split = { operation: 'split', from: 'mp4', to: 'mp4', answer, options: { seconds_per_file: 2 } } as const
    expect(codeOf(planAfterProbe(split))).toBe(endOf(step))
  })
})

describe('the size of a result [L-video-output]', () => {
  it('is 1 GiB for small recordings', () => {
    expect(encodeLimits(1, 1).outputBytes).toBe(GiB)
    expect(encodeLimits(GiB / 20, 1).outputBytes).toBe(GiB)
  })

  it('is 20 times that of the recording', () => {
    expect(encodeLimits(GiB / 20 + 1, 1).outputBytes).toBe(GiB + 20)
    expect(encodeLimits(GiB - 1, 1).outputBytes).toBe(20 * (GiB - 1))
  })

  it('is never more than 20 GiB', () => {
    expect(encodeLimits(GiB, 1).outputBytes).toBe(20 * GiB)
    expect(encodeLimits(9 * GiB, 1).outputBytes).toBe(20 * GiB)
  })
})
