import { readFile } from 'node:fs/promises'
import { isFailure } from '@lathe/domain'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixturePath } from '../../../../fixtures/fixtures.ts'
import { type AudioCodecName, audioCodec } from '../media/audio-codecs.ts'
import { type VideoContainerName, videoContainerNames, videoContainers } from '../media/containers.ts'
import { type VideoCodecName, videoCodec } from '../media/video-codecs.ts'
import { type MediaBench, type MediaRequest, openMediaBench, testClip } from '../testing/media-bench.ts'

let media: MediaBench
/** Two seconds of 160 x 120 at 25 frames per second, a key frame each second, and a stereo tone at 44.1 kHz. */
let clip: Buffer

beforeAll(async () => {
  media = await openMediaBench()
  clip = await readFile(fixturePath('clip.mp4'))
})
afterAll(() => media[Symbol.asyncDispose]())

async function made(request: Omit<MediaRequest, 'from' | 'content'> & Partial<MediaRequest>): Promise<Buffer> {
  const end = await media.run({ from: 'mp4', content: clip, ...request })
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

/** Every codec that is not a container's default, with the audio codec at the same position of its list. */
const others = videoContainerNames.flatMap((to): [VideoContainerName, VideoCodecName, AudioCodecName][] => {
  const { video, audio } = videoContainers[to]
  const count = Math.max(video.length, audio.length)
  return Array.from({ length: count - 1 }, (_, n) => [to, video[n + 1] ?? video[0], audio[n + 1] ?? audio[0]])
})

describe('codecs that can be chosen', () => {
  it.each(others)('%s holds %s and %s', async (to, video_codec, audio_codec) => {
    const { video, audio } = videoContainers[to]
    const options = {
      ...{ start: '1', end: '1.2' },
      ...(video.length > 1 && { video_codec }),
      ...(audio.length > 1 && { audio_codec }),
    }
    const found = await media.look(await made({ to, options }), to)
    expect(found.video?.codec).toBe(videoCodec(video_codec).probed)
    expect(found.audio[0]?.codec).toBe(audioCodec(audio_codec).probed)
    // H.263 supports only a few sizes and one rate.
    expect(found.video?.width).toBe(video_codec === 'h263' ? 176 : 160)
    expect(Math.abs(found.frames - (video_codec === 'h263' ? 6 : 5))).toBeLessThanOrEqual(1)
  })
})

describe('requested properties of a video', () => {
  it('streams are copied unchanged', async () => {
    const found = await media.look(await made({ to: 'mkv' }), 'mkv')
    expect(found).toMatchObject({ video: { codec: 'h264' }, audio: [{ codec: 'aac' }], frames: 50 })
  })

  it('size, frame rate, sample rate and channels come out as said', async () => {
    const options = {
      width: 100,
      height: 80,
      fit: 'pad',
      fps: 10,
      sample_rate: 22_050,
      channels: 1,
      preset: 'ultrafast',
    }
    const found = await media.look(await made({ to: 'mkv', options }), 'mkv')
    expect(found).toMatchObject({ video: { width: 100, height: 80, fps: 10 }, frames: 20 })
    expect(found.audio).toMatchObject([{ sampleRate: 22_050, channels: 1 }])
  })

  it('a rotation is applied to the pixels, and one in the metadata is too', async () => {
    expect((await media.look(await made({ to: 'mkv', options: { rotate: 90 } }), 'mkv')).video).toMatchObject({
      width: 120,
      height: 160,
      turns: 0,
    })
    const files = { 'in.mp4': clip }
    const turn = ['-v', 'error', '-display_rotation', '90', '-i', 'in.mp4', '-c', 'copy', 'out.mp4']
    const { outputs } = await media.bench.tool('ffmpeg', turn, { files, outputs: ['out.mp4'] })
    const phone = outputs['out.mp4'] ?? Buffer.alloc(0)
    expect((await media.look(phone, 'mp4')).video?.turns).toBe(3)
    const found = await media.look(await made({ content: phone, to: 'webm', options: { end: '0.2' } }), 'webm')
    expect(found.video).toMatchObject({ width: 120, height: 160, turns: 0 })
  })

  it('odd sides lose a row and a column', async () => {
    const odd = await media.make(...testClip({ size: '161x121' }), '-pix_fmt', 'yuv444p', '-c:v', 'libx264', 'odd.mkv')
    const found = await media.look(
      await made({ from: 'mkv', content: odd, to: 'webm', options: { preset: 'ultrafast' } }),
      'webm',
    )
    expect(found.video).toMatchObject({ width: 160, height: 120 })
  })

  it('a trim is exact to the frame [D-op-30]', async () => {
    const found = await media.look(await made({ operation: 'trim', options: { start: '0.52', end: '1.52' } }), 'mp4')
    expect(Math.abs(found.frames - 25)).toBeLessThanOrEqual(1)
    expect(Math.abs((found.seconds ?? 0) - 1)).toBeLessThanOrEqual(0.05)
  })

  it('a fast trim begins at the key frame before', async () => {
    const found = await media.look(await made({ operation: 'trim', options: { start: '1.5', mode: 'fast' } }), 'mp4')
    expect(found.video?.codec).toBe('h264')
    expect(Math.abs((found.seconds ?? 0) - 0.75)).toBeLessThanOrEqual(0.3)
  })

  it('a crop keeps its area [D-op-60]', async () => {
    const found = await media.look(
      await made({ operation: 'crop', options: { x: 20, y: 10, width: 64, height: 48 } }),
      'mp4',
    )
    expect(found).toMatchObject({ video: { width: 64, height: 48 }, frames: 50 })
  })

  it('subtitles are kept, drawn or left out', async () => {
    const files = { 'in.mp4': clip, 'in.srt': '1\n00:00:00,000 --> 00:00:02,000\nHELLO WORLD\n' }
    const join = ['-v', 'error', '-i', 'in.mp4', '-i', 'in.srt', '-map', '0', '-map', '1', '-c', 'copy', 'out.mkv']
    const { outputs } = await media.bench.tool('ffmpeg', join, { files, outputs: ['out.mkv'] })
    const video = { from: 'mkv', content: outputs['out.mkv'] ?? Buffer.alloc(0) }
    expect((await media.look(await made({ ...video, to: 'mp4' }), 'mp4')).subtitles).toMatchObject([
      { codec: 'mov_text' },
    ])
    const burnt = await made({ ...video, to: 'mp4', options: { subtitles: 'burn', preset: 'ultrafast' } })
    expect((await media.look(burnt, 'mp4')).subtitles).toEqual([])
    const [plain, drawn] = await Promise.all([clip, burnt].map(firstFrame))
    expect(difference(plain ?? Buffer.alloc(0), drawn ?? Buffer.alloc(0))).toBeGreaterThan(1)
  })
})

/** The pixels of the first frame. */
async function firstFrame(content: Buffer): Promise<Buffer> {
  return sharp(await made({ content, to: 'png' }))
    .greyscale()
    .raw()
    .toBuffer()
}

/** The average difference per pixel between two images of the same size. */
function difference(a: Buffer, b: Buffer): number {
  expect(a.length).toBe(b.length)
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length
}

describe('images and animations', () => {
  it('a poster is the image of its moment', async () => {
    const jpg = await made({ to: 'jpg', options: { time: '1', width: 80 } })
    expect(await sharp(jpg).metadata()).toMatchObject({ format: 'jpeg', width: 80, height: 60 })
    const [start, later] = await Promise.all(['0', '1.5'].map((time) => made({ to: 'png', options: { time } })))
    expect(start?.equals(later ?? Buffer.alloc(0))).toBe(false)
  })

  it('an image every half second makes four of two seconds', async () => {
    const end = await media.run({ from: 'mp4', content: clip, to: 'png', options: { every: 0.5 } })
    expect(end.files).toHaveLength(4)
    for (const { bytes } of end.files) expect(await sharp(bytes).metadata()).toMatchObject({ width: 160, height: 120 })
  })

  it.each(['gif', 'webp'])('%s has its frames, size and loops', async (to) => {
    const made2 = await made({ to, options: { fps: 5, width: 80, loop: 3 } })
    expect(await sharp(made2, { animated: true }).metadata()).toMatchObject({
      pages: 10,
      width: 80,
      pageHeight: 60,
      loop: 3,
    })
  })

  it('an animation becomes a video, and can be trimmed [D-op-30]', async () => {
    const content = await readFile(fixturePath('animated.gif'))
    const video = await media.look(await made({ from: 'gif', content, to: 'mp4' }), 'mp4')
    expect(video).toMatchObject({ video: { codec: 'h264', width: 120, height: 90 }, frames: 4 })
    const cut = await made({ operation: 'trim', from: 'gif', content, to: 'gif', options: { end: '0.16' } })
    expect((await sharp(cut, { animated: true }).metadata()).pages).toBe(2)
  })
})

describe('audio', () => {
  it('of six channels is mixed down where a format has two, and kept where it has more', async () => {
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=1', '-af', 'pan=5.1(side)|FL=c0|FR=c0|FC=c0|LFE=c0|SL=c0|SR=c0']
    const surround = { from: 'wav', content: await media.make(...tone, 'six.wav') }
    expect((await media.look(await made({ ...surround, to: 'mp3' }), 'mp3')).audio).toMatchObject([{ channels: 2 }])
    expect((await media.look(await made({ ...surround, to: 'opus' }), 'opus')).audio).toMatchObject([{ channels: 6 }])
  })

  it('is brought to one loudness', async () => {
    const quiet = ['-f', 'lavfi', '-i', 'sine=duration=5', '-af', 'volume=0.1', '-ac', '2']
    const content = await media.make(...quiet, 'quiet.wav')
    const wav = await made({ from: 'wav', content, to: 'wav', options: { normalize: true, loudness: -16 } })
    const measure = ['-v', 'info', '-nostdin', '-i', 'in.wav', '-af', 'ebur128', '-f', 'null', '-']
    const { end } = await media.bench.tool('ffmpeg', measure, { files: { 'in.wav': wav } })
    const loudness = Number(/I:\s+(-?[\d.]+) LUFS\s+Threshold/.exec(end.stderr)?.[1])
    expect(Math.abs(loudness + 16)).toBeLessThan(1.5)
    expect((await media.look(wav, 'wav')).audio).toMatchObject([{ sampleRate: 44_100 }])
  })
})

describe('a file that is broken', () => {
  it.each([
    ['cut before its index', () => clip.subarray(0, 2000)],
    ['of another kind', () => Buffer.from('%PDF-1.7 not a video')],
    ['empty', () => Buffer.alloc(0)],
  ])('%s is refused as damaged', async (_, content) => {
    const sources = [{ format: 'mp4', content: content() }]
    const end = await media.bench.run({ operation: 'convert', sources, to: 'webm' })
    expect(isFailure(end) && end.code).toBe('input_damaged')
  })
})
