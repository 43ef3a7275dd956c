import { isFailure } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toleratedDamage } from '../media/read-damage.ts'
import { type MediaBench, openMediaBench, testClip } from '../testing/media-bench.ts'

let media: MediaBench
beforeAll(async () => {
  media = await openMediaBench()
})
afterAll(() => media[Symbol.asyncDispose]())

const run = (from: string, content: Uint8Array, to: string, options = {}) => {
  return media.bench.run({ operation: 'convert', sources: [{ format: from, content }], to, options })
}

async function converted(...request: Parameters<typeof run>) {
  const end = await run(...request)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  return { bytes: end.files[0]?.bytes ?? Buffer.alloc(0), warnings: end.warnings }
}

const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2', '-ac', '2']

describe('a recording without its end', () => {
  it('is converted as far as it goes, with a warning', async () => {
    const whole = await media.make(
      ...testClip({ seconds: 4 }),
      '-c:v',
      'libx264',
      '-g',
      '5',
      '-movflags',
      '+faststart',
      'a.mp4',
    )
    const cut = whole.subarray(0, Math.floor(whole.length * 0.6))
    for (const to of ['webm', 'mkv', 'mp3'] as const) {
      const { bytes, warnings } = await converted('mp4', cut, to)
      const { seconds = 0 } = await media.look(bytes, to)
      expect(seconds).toBeGreaterThan(1)
      expect(seconds).toBeLessThan(4)
      expect(warnings).toEqual([toleratedDamage])
    }
  })

  it('is refused with strict', async () => {
    const whole = await media.make(...testClip({ seconds: 4 }), '-c:v', 'libx264', '-movflags', '+faststart', 'a.mp4')
    const cut = whole.subarray(0, Math.floor(whole.length * 0.6))
    expect(await run('mp4', cut, 'webm', { strict: true })).toMatchObject({ code: 'input_damaged' })
    expect(isFailure(await run('mp4', whole, 'webm', { strict: true }))).toBe(false)
  })

  it('of FLAC plays up to the break', async () => {
    const whole = await media.make(...tone, 'a.flac')
    const { bytes } = await converted('flac', whole.subarray(0, whole.length / 2), 'wav')
    const { seconds = 0 } = await media.look(bytes, 'wav')
    expect(seconds).toBeGreaterThan(0.5)
    expect(seconds).toBeLessThan(1.5)
  })
})

describe('MP3 with bytes of something else in the middle', () => {
  it('is converted, with a warning', async () => {
    const whole = await media.make(...tone, 'a.mp3')
    const broken = Buffer.concat([whole.subarray(0, 6000), Buffer.alloc(4000, 0x55), whole.subarray(10_000)])
    const { bytes, warnings } = await converted('mp3', broken, 'wav')
    expect((await media.look(bytes, 'wav')).seconds).toBeGreaterThan(1.5)
    expect(warnings).toEqual([toleratedDamage])
    expect(await run('mp3', broken, 'wav', { strict: true })).toMatchObject({ code: 'input_damaged' })
  })
})

describe('a song with a cover', () => {
  it.each(['mp3', 'flac', 'm4a'])('keeps it in %s', async (to) => {
    const cover = ['-f', 'lavfi', '-i', 'color=size=64x64:duration=0.04']
    const maps = ['-map', '0:a', '-map', '1:v', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic']
    const from = to === 'm4a' ? 'mp3' : 'm4a'
    const song = await media.make(...tone, ...cover, ...maps, `a.${from}`)
    const found = await media.look((await converted(from, song, to)).bytes, to)
    expect(found.covers).toMatchObject([{ codec: 'mjpeg' }])
    expect(found.video).toBeUndefined()
    expect(found.seconds).toBeCloseTo(2, 0)
    const bare = await media.look((await converted(from, song, to, { strip: true })).bytes, to)
    expect(bare.covers).toEqual([])
  })
})

describe('a stream that seems to be copyable', () => {
  it('is encoded if the container refuses it', async () => {
    // MP3 at this rate is not allowed in MP4.
    const flv = await media.make(
      ...testClip({ rate: 11_025 }),
      '-c:v',
      'flv1',
      '-c:a',
      'libmp3lame',
      '-ar',
      '11025',
      'a.flv',
    )
    const found = await media.look((await converted('flv', flv, 'mp4')).bytes, 'mp4')
    expect(found.audio).toMatchObject([{ codec: 'aac' }])
    expect(found.frames).toBe(25)
  })
})

describe('a recording made live, which does not say how long it is', () => {
  it('becomes an animation', async () => {
    const webm = await media.make(...testClip(), '-c:v', 'libvpx', '-an', '-f', 'webm', '-live', '1', 'a.webm')
    const { bytes, warnings } = await converted('webm', webm, 'gif')
    expect((await media.look(bytes, 'gif')).frames).toBe(10)
    expect(warnings).toEqual([expect.stringContaining('duration of the file is unknown')])
  })
})

describe('a recording of a single frame or of none', () => {
  it('becomes an animation of one frame', async () => {
    const webm = await media.make(...testClip(), '-c:v', 'libvpx', '-an', '-frames:v', '1', 'a.webm')
    expect((await media.look((await converted('webm', webm, 'gif')).bytes, 'gif')).frames).toBe(1)
  })

  it('of no length is refused, because no player would open the result', async () => {
    const wav = await media.make(...tone, '-t', '0.001', '-fflags', '+bitexact', 'a.wav')
    const header = Buffer.from(wav.subarray(0, 44))
    header.writeUInt32LE(0, 40)
    const refusal = { code: 'input_damaged', text: expect.stringContaining('no audio or video') }
    expect(await run('wav', header, 'mp3')).toMatchObject(refusal)
  })
})
