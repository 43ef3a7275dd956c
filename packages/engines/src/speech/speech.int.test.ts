import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { makeSpeech, spokenWords } from '../testing/sample-speech.ts'

const bench = usePlanBench()

async function transcribe(content: Buffer, to: string, format = 'flac') {
  const shares: number[] = []
  const onProgress = (share: number) => shares.push(share)
  const end = await bench.run({ operation: 'transcribe', sources: [{ format, content }], to, onProgress })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return { text: String(end.files[0]?.bytes), warnings: end.warnings, shares }
}

/** The share of the spoken words that are in a text. */
function recognized(text: string): number {
  const heard = new Set(text.split(/[^a-z']+/))
  const said = spokenWords.split(' ')
  return said.filter((word) => heard.has(word)).length / said.length
}

async function make(name: string, ...args: string[]): Promise<Buffer> {
  const { outputs } = await bench.tool('ffmpeg', ['-nostdin', '-v', 'error', ...args, name], { outputs: [name] })
  return outputs[name] ?? Buffer.alloc(0)
}

const emptyWarning = expect.stringContaining('No speech was recognized')

describe('speech', () => {
  it('becomes text, with a warning to expect errors', { timeout: 120_000 }, async () => {
    const { text, warnings, shares } = await transcribe(await makeSpeech(bench), 'txt')
    expect(recognized(text)).toBeGreaterThan(0.5)
    expect(warnings).toEqual([expect.stringContaining('Expect errors')])
    expect(shares.some((share) => share > 0.1 && share < 1)).toBe(true)
  })

  it('becomes words with times and confidence', { timeout: 120_000 }, async () => {
    const { text } = await transcribe(await makeSpeech(bench, 'adelay=5000:all=1'), 'json')
    const { language, duration, words, ...rest } = JSON.parse(text)
    expect(language).toBe('en-US')
    expect(duration).toBeGreaterThan(10)
    expect(recognized(rest.text)).toBeGreaterThan(0.5)
    let last = 0
    for (const { word, start, end, confidence } of words) {
      expect(word).toMatch(/^[a-z][a-z'.-]*$/)
      expect(start).toBeGreaterThanOrEqual(last)
      expect(end).toBeGreaterThanOrEqual(start)
      expect(end).toBeLessThanOrEqual(duration + 0.1)
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(1)
      last = start
    }
    // The decoder may count up to half a second before the speech as part of it.
    expect(Math.abs(words[0].start - 5)).toBeLessThan(0.6)
  })

  it.each([
    ['srt', /^1\n00:00:0\d,\d{3} --> 00:00:\d\d,\d{3}\n/],
    ['vtt', /^WEBVTT\n\n1\n00:00:0\d\.\d{3} --> 00:00:\d\d\.\d{3}\n/],
  ])('becomes %s of short lines', { timeout: 120_000 }, async (to, start) => {
    const { text } = await transcribe(await makeSpeech(bench), to)
    expect(text).toMatch(start)
    expect(recognized(text)).toBeGreaterThan(0.5)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(42)
    for (const cue of text.split('\n\n')) expect(cue.split('\n').length).toBeLessThanOrEqual(4)
    const read = await bench.tool('ffprobe', ['-v', 'error', '-show_packets', `a.${to}`], {
      files: { [`a.${to}`]: text },
    })
    expect(read.stdout.match(/\[PACKET\]/g)?.length).toBeGreaterThan(1)
  })

  it('of a video is transcribed, with any codec', { timeout: 120_000 }, async () => {
    const files = { 'a.flac': await makeSpeech(bench) }
    const args = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5', '-i', 'a.flac', '-shortest', '-c:a', 'aac', 'a.mp4']
    const { outputs } = await bench.tool('ffmpeg', ['-nostdin', '-v', 'error', ...args], { files, outputs: ['a.mp4'] })
    const { text } = await transcribe(outputs['a.mp4'] ?? Buffer.alloc(0), 'txt', 'mp4')
    expect(recognized(text)).toBeGreaterThan(0.5)
  })

  it('continues where a recording is cut into pieces', { timeout: 300_000 }, async () => {
    const content = await makeSpeech(bench, 'adelay=115000:all=1')
    const { words } = JSON.parse((await transcribe(content, 'json')).text)
    expect(Math.abs(words[0].start - 115)).toBeLessThan(0.6)
    expect(recognized(words.map(({ word }: { word: string }) => word).join(' '))).toBeGreaterThan(0.5)
  })
})

describe('a recording without speech', () => {
  it.each(['txt', 'srt', 'vtt', 'json'])('is an empty transcript as %s', { timeout: 120_000 }, async (to) => {
    const silence = await make('a.flac', '-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '3')
    const { text, warnings } = await transcribe(silence, to)
    expect(warnings).toContainEqual(emptyWarning)
    if (to === 'json') expect(JSON.parse(text)).toMatchObject({ text: '', words: [] })
    else expect(text.trim()).toBe(to === 'vtt' ? 'WEBVTT' : '')
  })

  it('that has no audio at all is refused [D-op-87]', { timeout: 60_000 }, async () => {
    const content = await make('a.mp4', '-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=1')
    const end = await bench.run({ operation: 'transcribe', sources: [{ format: 'mp4', content }], to: 'txt' })
    expect(end).toMatchObject({ code: 'unsupported', text: expect.stringContaining('no audio') })
  })
})
