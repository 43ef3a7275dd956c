import { isFailure } from '@lathe/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mediaLimits } from '../media/limits.ts'
import { video, videoWith } from '../testing/probed-media.ts'
import { judgeMedia } from './judge-media.ts'
import type { Media } from './media.ts'
import { parseProbe } from './parse-probe.ts'

function parse(answer: unknown): Media {
  const media = parseProbe(JSON.stringify(answer))
  if (isFailure(media)) throw new Error(media.code)
  return media
}

const judge = (answer: unknown) => judgeMedia(parse(answer), true)?.code

describe('parseProbe', () => {
  it('returns the streams of a video', () => {
    expect(parse(video)).toEqual({
      seconds: 10,
      bitRate: 1_000_000,
      streams: 2,
      chapters: 0,
      isHidden: false,
      video: {
        index: 0,
        codec: 'h264',
        width: 640,
        height: 480,
        turns: 0,
        pixelAspect: 1,
        fps: 25,
        isDeep: false,
      },
      audio: [{ index: 1, codec: 'aac', sampleRate: 44_100, channels: 2, bitRate: 128_000 }],
      subtitles: [],
      covers: [],
      unknown: 0,
    })
  })

  it('distinguishes attached pictures from video, and leaves out those without a size', () => {
    const cover = { codec_type: 'video', codec_name: 'mjpeg', disposition: { attached_pic: 1 } }
    const [, sound] = video.streams
    const song = [sound, { ...cover, index: 2, width: 500, height: 500 }, { ...cover, index: 3 }]
    const media = parse({ ...video, streams: song })
    expect(media).toMatchObject({ isHidden: false, covers: [{ index: 2, codec: 'mjpeg' }] })
    expect(media.video).toBeUndefined()
  })

  it('counts streams of unknown kinds, and refuses files with nothing else', () => {
    const [pictures] = video.streams
    const locked = { index: 1, codec_type: 'audio' }
    expect(parse({ ...video, streams: [pictures, locked] })).toMatchObject({ audio: [], unknown: 1 })
    expect(judge({ ...video, streams: [pictures, locked] })).toBeUndefined()
    expect(judge({ ...video, streams: [locked] })).toBe('unsupported')
  })

  it('reads turns clockwise, pixel shapes and depth', () => {
    const turned = videoWith({
      side_data_list: [{ rotation: -90 }],
      sample_aspect_ratio: '16:11',
      pix_fmt: 'yuv420p10le',
    })
    expect(parse(turned).video).toMatchObject({ turns: 1, isDeep: true })
    expect(parse(turned).video?.pixelAspect).toBeCloseTo(16 / 11)
    expect(parse(videoWith({ side_data_list: [{ rotation: 90 }] })).video?.turns).toBe(3)
    expect(parse(videoWith({ sample_aspect_ratio: '1000:1' })).video?.pixelAspect).toBe(1)
  })

  it('takes the longest stream where the file does not say how long it is', () => {
    const answer = {
      streams: [
        { ...video.streams[0], duration: '3.5' },
        { ...video.streams[1], duration: '4' },
      ],
    }
    expect(parse(answer).seconds).toBe(4)
  })

  it('never returns invalid numbers, whatever the input', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.constantFrom('N/A', '1/0', '0/0', '-1', '1e999', null, [], {}))
    const stream = fc.record(
      {
        index: value,
        codec_type: fc.constantFrom('video', 'audio', 'subtitle', 7),
        codec_name: value,
        width: value,
        height: value,
        avg_frame_rate: value,
        sample_aspect_ratio: value,
        channels: value,
        side_data_list: fc.oneof(value, fc.array(fc.record({ rotation: value }))),
      },
      { requiredKeys: [] },
    )
    const answer = fc.record({ streams: fc.oneof(value, fc.array(stream)), format: value, chapters: value })
    fc.assert(
      fc.property(answer, (given) => {
        const { video, seconds = 1 } = parse(given)
        for (const number of [
          seconds,
          video?.width ?? 1,
          video?.height ?? 1,
          video?.fps ?? 1,
          video?.pixelAspect ?? 1,
        ]) {
          expect(Number.isFinite(number) && number > 0).toBe(true)
        }
      }),
    )
  })

  it('treats invalid output as a file without streams, and truncated output as over the limit', () => {
    for (const text of ['', '{', 'null', '[]'])
      expect(judgeMedia(parseProbe(text) as Media, true)?.code).toBe('input_damaged')
    expect(parseProbe(' '.repeat(1024 ** 2))).toMatchObject({ code: 'limit_exceeded' })
  })
})

describe('a file at its limits', () => {
  const { side, framesPerSecond, seconds, streams, chapters } = mediaLimits
  const named = (count: number) => Array.from({ length: count }, () => ({ start_time: '0' }))
  it.each<[string, number, (value: number) => unknown]>([
    ['width', side, (width) => videoWith({ width })],
    ['height', side, (height) => videoWith({ height })],
    ['frames a second', framesPerSecond, (fps) => videoWith({ avg_frame_rate: `${fps}/1` })],
    ['seconds', seconds, (duration) => videoWith({}, { duration: String(duration) })],
    ['streams', streams, (nb_streams) => videoWith({}, { nb_streams })],
    ['chapters', chapters, (count) => ({ ...video, chapters: named(count) })],
  ])('is taken up to the limit of %s, and refused beyond', (_, limit, answer) => {
    expect(judge(answer(limit - 1))).toBeUndefined()
    expect(judge(answer(limit))).toBeUndefined()
    expect(judge(answer(limit + 1))).toBe('limit_exceeded')
  })

  it('is refused for images that show nothing of themselves, unless only audio is wanted', () => {
    const hidden = videoWith({ width: 0, height: 0 })
    expect(judge(hidden)).toBe('input_damaged')
    expect(judgeMedia(parse(hidden), false)).toBeUndefined()
  })

  it('is not media without video or audio', () => {
    expect(judge({ ...video, streams: [] })).toBe('input_damaged')
    expect(judge(videoWith({ disposition: { attached_pic: 1 } }))).toBeUndefined()
  })
})
