import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { planAfterProbe, video, videoWith } from '../testing/probed-media.ts'
import { requiredOf } from '../testing/walk-plans.ts'
import { abilities } from './abilities.ts'

const subtitles = { index: 2, codec_type: 'subtitle', codec_name: 'subrip' }
const [, sound] = video.streams

/** Files that are copied into some containers and encoded into others. */
const inputs = {
  'H.264 with AAC': video,
  'the same with subtitles': { ...video, streams: [...video.streams, subtitles] },
  'VP9 with Opus': {
    ...videoWith({ codec_name: 'vp9' }),
    streams: [
      { ...video.streams[0], codec_name: 'vp9' },
      { ...sound, codec_name: 'opus' },
    ],
  },
  'MPEG-2 with MP2': {
    ...video,
    streams: [
      { ...video.streams[0], codec_name: 'mpeg2video' },
      { ...sound, codec_name: 'mp2' },
    ],
  },
  'FLAC with a cover': {
    ...video,
    streams: [
      { ...video.streams[0], codec_name: 'mjpeg', disposition: { attached_pic: 1 } },
      { ...sound, codec_name: 'flac' },
    ],
  },
}

function planned(ability: (typeof abilities)[number], answer: unknown, options: GivenOptions) {
  const plan = planAfterProbe({ operation: ability.operation, from: ability.from, to: ability.to, options, answer })
  return isFailure(plan) ? plan : { steps: plan.steps.map((step) => JSON.stringify(step)), warnings: plan.warnings }
}

describe('the default of every option', () => {
  it.each(Object.entries(inputs))('is what happens when it is left out: %s', (_, answer) => {
    const differing = abilities
      .filter(({ from }) => from !== 'mid')
      .flatMap((ability) => {
        const required = requiredOf(ability)
        const usual = JSON.stringify(planned(ability, answer, required))
        return ability.options
          .filter(({ name, default_value }) => default_value !== '' && !(name in required))
          .filter(({ name, default_value }) => {
            return JSON.stringify(planned(ability, answer, { ...required, [name]: default_value })) !== usual
          })
          .map(({ name }) => `${ability.operation} ${ability.from} to ${ability.to}: ${name}`)
      })
    expect(differing).toEqual([])
  })
})

describe('the range of crf', () => {
  it('is that of the codec', () => {
    const ask = (options: GivenOptions) => planAfterProbe({ to: 'mkv', options })
    expect(ask({ video_codec: 'h264', crf: 52 })).toMatchObject({
      code: 'unsupported',
      text: expect.stringContaining('0 to 51'),
    })
    expect(isFailure(ask({ video_codec: 'av1', crf: 63 }))).toBe(false)
    const lowered = ask({ crf: 60 })
    expect(isFailure(lowered) ? [] : lowered.warnings).toEqual([expect.stringContaining('lowered to 51')])
  })
})
