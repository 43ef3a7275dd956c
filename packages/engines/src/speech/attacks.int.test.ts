import { randomBytes } from 'node:crypto'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { makeSpeech } from '../testing/sample-speech.ts'

const bench = usePlanBench()

const transcribe = (content: string | Buffer, format: string, options = {}) =>
  bench.run({ operation: 'transcribe', sources: [{ format, content }], to: 'txt', options })

const textOf = (end: Awaited<ReturnType<typeof transcribe>>) =>
  isFailure(end) ? `${end.code} ${end.text ?? ''}` : String(end.files[0]?.bytes)

describe('files that are no recordings', () => {
  it.each(['mp3', 'wav', 'flac', 'mp4', 'mkv', 'ogg', 'spx', 'mod'])(
    '%s: noise and nothing',
    { timeout: 60_000 },
    async (format) => {
      for (const content of [randomBytes(5000), Buffer.alloc(5000), 'x']) {
        const end = await transcribe(content, format)
        // A few bytes of noise may be a valid audio frame.
        if (isFailure(end)) expect(['input_damaged', 'unsupported']).toContain(end.code)
      }
    },
  )

  it('that name other files are not followed', { timeout: 60_000 }, async () => {
    for (const content of ['#EXTM3U\n#EXTINF:1,\n/etc/passwd\n', 'ffconcat version 1.0\nfile /etc/passwd\n']) {
      for (const format of ['mp4', 'wav', 'mp3'])
        expect(textOf(await transcribe(content, format))).not.toContain('nobody')
    }
  })
})

describe('damaged recordings', () => {
  it('are transcribed as far as they go, or refused on demand', { timeout: 120_000 }, async () => {
    const speech = await makeSpeech(bench)
    const half = speech.subarray(0, speech.length / 2)
    const end = await transcribe(half, 'flac')
    expect(end).toMatchObject({ kind: 'done' })
    expect(isFailure(end) ? [] : end.warnings).toContainEqual(expect.stringContaining('incomplete or damaged'))
    expect(await transcribe(half, 'flac', { strict: true })).toMatchObject({ code: 'input_damaged' })
  })

  it('with a wrong length are transcribed to their real end', { timeout: 120_000 }, async () => {
    const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '1', 'a.wav']
    const { outputs } = await bench.tool('ffmpeg', args, { outputs: ['a.wav'] })
    const wav = Buffer.from(outputs['a.wav'] ?? '')
    wav.writeUInt32LE(0xfffffff0, wav.indexOf('data') + 4)
    expect(await transcribe(wav, 'wav')).toMatchObject({ kind: 'done' })
  })
})

describe('recordings that are too long', () => {
  it('are refused soon, however small their files are', { timeout: 120_000 }, async () => {
    const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '7300', 'a.flac']
    const { outputs } = await bench.tool('ffmpeg', args, { outputs: ['a.flac'] })
    const content = outputs['a.flac'] ?? Buffer.alloc(0)
    expect(content.length).toBeLessThan(2_000_000)
    expect(await transcribe(content, 'flac')).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('2 hours'),
    })
  })
})

describe('noise without a pause', () => {
  it('is transcribed in pieces within the memory of a step', { timeout: 600_000 }, async () => {
    const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'anoisesrc=d=30:c=pink:r=16000:a=0.4', 'a.flac']
    const { outputs } = await bench.tool('ffmpeg', args, { outputs: ['a.flac'] })
    expect(await transcribe(outputs['a.flac'] ?? Buffer.alloc(0), 'flac')).toMatchObject({ kind: 'done' })
  })
})
