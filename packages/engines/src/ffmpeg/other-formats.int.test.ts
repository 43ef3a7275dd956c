import { readFile } from 'node:fs/promises'
import { detectFormat } from '@lathe/formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixturePath } from '../../../../fixtures/fixtures.ts'
import { sampleMpc } from '../../../../fixtures/sample-audio.ts'
import { sampleIt, sampleS3m, sampleXm } from '../../../../fixtures/sample-modules.ts'
import { type MediaBench, openMediaBench } from '../testing/media-bench.ts'

let media: MediaBench
beforeAll(async () => {
  media = await openMediaBench()
})
afterAll(() => media[Symbol.asyncDispose]())

async function convert(from: string, content: Buffer, to: string) {
  const { files, warnings } = await media.run({ from, content, to })
  return { ...(await media.look(files[0]?.bytes ?? Buffer.alloc(0), to)), bytes: files[0]?.bytes, warnings }
}

// Larger than a wave header with the name of its encoder.
const headerBytes = 256

/** The loudest sample of a plain 16-bit wave file, from 0 to 1. */
async function peakOf(content: Buffer | undefined): Promise<number> {
  const wav = { from: 'wav', content: content ?? Buffer.alloc(0), to: 'wav', options: { audio_codec: 'pcm_s16' } }
  const bytes = (await media.run(wav)).files[0]?.bytes ?? Buffer.alloc(0)
  const samples = Array.from({ length: Math.floor((bytes.length - headerBytes) / 2) }, (_, n) =>
    bytes.readInt16LE(headerBytes + n * 2),
  )
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) / 32_768
}

it('audio with more samples than Vorbis knows has as many as it does', async () => {
  const { audio } = await convert('dsf', await readFile(fixturePath('silence.dsf')), 'ogg')
  expect(audio).toMatchObject([{ codec: 'vorbis', sampleRate: 192_000 }])
})

describe('audio of other programs', () => {
  it.each([
    ['s3m', sampleS3m],
    ['xm', sampleXm],
    ['it', sampleIt],
  ])('a module called %s is played to its end', async (from, make) => {
    const { seconds, bytes, warnings } = await convert(from, make(), 'wav')
    expect(detectFormat(make())?.ext).toBe(from)
    expect(seconds).toBeGreaterThan(1.2)
    expect(seconds).toBeLessThan(1.5)
    expect(await peakOf(bytes)).toBeGreaterThan(0.02)
    expect(warnings).toEqual([])
  })

  it('Musepack audio is read in full', async () => {
    expect(detectFormat(sampleMpc())?.ext).toBe('mpc')
    const { seconds, warnings } = await convert('mpc', sampleMpc(), 'wav')
    expect(seconds).toBeCloseTo((40 * 1152) / 44_100, 2)
    expect(warnings).toEqual([])
  })

  it.each([
    ['score.mid', 2, true],
    ['square.mod', 1.28, true],
    ['tone.ra', 1, true],
    ['silence.dsf', 0.1, false],
    ['silence.ape', 1, false],
  ] as const)('%s is read in full', async (name, seconds, isLoud) => {
    const from = name.slice(name.indexOf('.') + 1)
    const made = await convert(from, await readFile(fixturePath(name)), 'wav')
    // The decay after the last note is part of a score.
    expect(made.seconds).toBeGreaterThan(seconds - 0.1)
    expect(made.seconds).toBeLessThan(seconds + (from === 'mid' ? 4 : 0.2))
    expect((await peakOf(made.bytes)) > 0.02).toBe(isLoud)
    expect(made.warnings).toEqual([])
    expect((await convert(from, await readFile(fixturePath(name)), 'mp3')).audio).toMatchObject([{ codec: 'mp3' }])
  })
})

describe('video of other programs', () => {
  it.each(['clip.swf', 'clip.wtv', 'clip.rm'] as const)('%s becomes MP4 with its audio', async (name) => {
    const from = name.slice(name.indexOf('.') + 1)
    const made = await convert(from, await readFile(fixturePath(name)), 'mp4')
    expect(made.video).toMatchObject({ codec: 'h264' })
    expect(made.frames).toBeGreaterThan(20)
    expect(made.audio).toHaveLength(1)
    expect(made.seconds).toBeCloseTo(1, 0)
  })
})
