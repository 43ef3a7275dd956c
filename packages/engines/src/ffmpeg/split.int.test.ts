import type { GivenOptions } from '@lathe/operations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MediaBench, openMediaBench, testClip } from '../testing/media-bench.ts'
import { findPauses } from './plan-split.ts'

let media: MediaBench
/** Three seconds of video and a tone, with a key frame every second. */
let clip: Buffer
/** Half a second of silence, a tone, a pause of a second, a tone, silence: 5.5 s. */
let speech: Buffer

beforeAll(async () => {
  media = await openMediaBench()
  clip = await media.make(...testClip({ seconds: 3 }), '-c:v', 'libx264', '-g', '25', '-c:a', 'aac', 'clip.mp4')
  const tones = 'sin(880*PI*t)*(between(t,0.5,2)+between(t,3,4.5))'
  speech = await media.make('-f', 'lavfi', '-i', `aevalsrc='${tones}':d=5.5`, 'speech.flac')
})
afterAll(() => media[Symbol.asyncDispose]())

const first = (end: Awaited<ReturnType<MediaBench['run']>>) => end.files[0]?.bytes ?? Buffer.alloc(0)

async function split(from: string, content: Buffer, options: GivenOptions) {
  const { files, warnings } = await media.run({ operation: 'split', from, content, to: from, options })
  const found = await Promise.all(files.map(({ bytes }) => media.look(bytes, from)))
  return { seconds: found.map(({ seconds }) => Math.round((seconds ?? 0) * 10) / 10), found, warnings }
}

describe('a split', () => {
  it('of a video has parts of the length asked for, and leaves nothing out', async () => {
    const { seconds, found } = await split('mp4', clip, { seconds_per_file: 1.2 })
    expect(seconds).toEqual([1.2, 1.2, 0.6])
    expect(found.reduce((sum, { frames }) => sum + frames, 0)).toBe(75)
  })

  it('at points takes them in any form and order', async () => {
    const { seconds } = await split('mp4', clip, { by: 'points', points: '0:02.5,1' })
    expect(seconds).toEqual([1, 1.5, 0.5])
  })

  it('without encoding begins at key frames', async () => {
    const { found } = await split('mp4', clip, { seconds_per_file: 1, mode: 'fast' })
    expect(found).toHaveLength(3)
    expect(found.map(({ video }) => video?.codec)).toEqual(['h264', 'h264', 'h264'])
  })

  it.each(['mp3', 'wav', 'ogg', 'm4a', 'flac'])('of %s has as much audio as the whole', async (to) => {
    const whole = first(await media.run({ from: 'flac', content: speech, to }))
    const { seconds } = await split(to, whole, { seconds_per_file: 2 })
    expect(seconds).toHaveLength(3)
    expect(Math.abs(seconds.reduce((sum, one) => sum + one, 0) - 5.5)).toBeLessThan(0.3)
  })

  it('of a file that ends before it says leaves out what is not there, unless strict', async () => {
    // The start of an MP3 stores its number of frames.
    const whole = first(await media.run({ from: 'flac', content: speech, to: 'mp3' }))
    const content = whole.subarray(0, whole.length / 2)
    const { seconds, warnings } = await split('mp3', content, { seconds_per_file: 2 })
    expect(seconds).toHaveLength(2)
    expect(warnings.join()).toContain('1 of 3 parts could not be read')
    const strict = split('mp3', content, { seconds_per_file: 2, strict: true })
    await expect(strict).rejects.toThrow('input_damaged')
  })

  it('without encoding keeps codecs that are rare in its format', async () => {
    const content = await media.make('-f', 'lavfi', '-i', 'sine=duration=5', '-c:a', 'flac', '-f', 'mp4', 'rare.m4a')
    const { found } = await split('m4a', content, { seconds_per_file: 3, mode: 'fast' })
    expect(found.map(({ audio }) => audio[0]?.codec)).toEqual(['flac', 'flac'])
  })

  it('by silence cuts in the middle of a pause, not at the ends', async () => {
    const { seconds } = await split('flac', speech, { by: 'silence', silence_seconds: 0.4 })
    expect(seconds).toEqual([2.5, 3])
  })

  it('without a pause is one file, and says so', async () => {
    const { seconds, warnings } = await split('flac', speech, { by: 'silence', silence_seconds: 2 })
    expect(seconds).toEqual([5.5])
    expect(warnings).toEqual(['No silence of 2 s was found: there is one file.'])
  })

  it.each([
    [{ by: 'points' }, 'The option points is required'],
    [{ by: 'points', points: '1,9' }, 'names 9 s, and the file is 5.5 s long'],
    [{ by: 'points', points: '1,1.05' }, 'at least 0.1 s after'],
  ])('with %j is refused', async (options, text) => {
    const end = await media.bench.run({
      operation: 'split',
      sources: [{ format: 'flac', content: speech }],
      to: 'flac',
      options,
    })
    expect(end).toMatchObject({ code: 'unsupported', text: expect.stringContaining(text) })
  })
})

describe('what FFmpeg reports of silence', () => {
  it('is read as pauses', () => {
    const one = (end: number, length: number) =>
      `frame:9 pts:1 pts_time:1\nlavfi.silence_end=${end}\nout_time_us=1\nprogress=continue\nframe:9 pts:1 pts_time:1\nlavfi.silence_duration=${length}\n`
    expect(findPauses(one(0.5, 0.5) + one(3, 1) + one(5.5, 1), 5.5)).toEqual([2.5])
    expect(findPauses('lavfi.silence_end=nonsense\nlavfi.silence_duration=1\n')).toEqual([])
  })
})
