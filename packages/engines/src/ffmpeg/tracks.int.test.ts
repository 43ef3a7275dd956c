import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MediaBench, openMediaBench, testClip } from '../testing/media-bench.ts'

let media: MediaBench
/** Two video tracks, two audio tracks, text subtitles and an attached font. */
let rich: Buffer

beforeAll(async () => {
  media = await openMediaBench()
  const files = { 'in.srt': Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nHELLO\n'), 'font.ttf': Buffer.alloc(100) }
  const clip = ['-f', 'srt', '-i', 'in.srt', ...testClip({ size: '64x48', fps: '10' })]
  const maps = ['1', '1', '2', '2', '0'].flatMap((input) => ['-map', input])
  const tags = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu', '-metadata:s:s:0', 'language=nld']
  const font = ['-attach', 'font.ttf', '-metadata:s:t:0', 'mimetype=application/x-truetype-font']
  const args = [
    '-v',
    'error',
    '-nostdin',
    ...clip,
    ...maps,
    '-c:v',
    'libx264',
    '-c:a',
    'aac',
    ...tags,
    ...font,
    'rich.mkv',
  ]
  const { outputs, end } = await media.bench.tool('ffmpeg', args, { files, outputs: ['rich.mkv'] })
  rich = outputs['rich.mkv'] ?? expect.fail(end.stderr)
}, 60_000)
afterAll(() => media[Symbol.asyncDispose]())

describe('tracks that a result does not have', () => {
  it.each([
    ['convert', 'avi', ['1 further video track was left out', '1 subtitle track was left out', '1 attached file was']],
    ['convert', 'mp4', ['1 further video track was left out', '1 attached file was']],
    ['convert', 'mp3', []],
    ['compress', 'mkv', ['1 further video track was left out', '1 subtitle track was left out', '1 attached file was']],
    ['trim', 'mkv', ['1 further video track was left out', '1 attached file was'], { end: '0.5' }],
    ['split', 'mkv', ['1 further video track was left out', '1 attached file was'], { by: 'points', points: '0.5' }],
    ['crop', 'mkv', ['1 further video track was left out', '1 attached file was'], { width: 32, height: 32 }],
  ] satisfies [ProcessingOperation, string, string[], GivenOptions?][])(
    'are named in warnings of %s to %s',
    async (operation, to, warnings, options: GivenOptions = {}) => {
      const end = await media.run({ operation, from: 'mkv', content: rich, to, options })
      const lost = end.warnings.filter((warning) => / (was|were) left out/.test(warning))
      expect(lost).toEqual(warnings.map((text) => expect.stringContaining(text)))
    },
  )

  it('are none of those that the owner does not want', async () => {
    const options = { subtitles: 'none' }
    const { warnings } = await media.run({ from: 'mkv', content: rich, to: 'mp4', options })
    expect(warnings.join()).not.toContain('subtitle')
  })
})

it.each(['mov', 'mp4', 'mkv'])('%s keeps the languages of all tracks', async (to) => {
  const { files } = await media.run({ from: 'mkv', content: rich, to })
  const found = await media.look(files[0]?.bytes ?? Buffer.alloc(0), to)
  // QuickTime has its own codes for some.
  const [german, dutch] = to === 'mov' ? ['ger', 'dut'] : ['deu', 'nld']
  expect(found.audio.map(({ language }) => language)).toEqual(['eng', german])
  expect(found.subtitles.map(({ language }) => language)).toEqual([dutch])
})

describe('a recording whose header has no duration', () => {
  /** As a browser records, or a program writes into a pipe. */
  const piped = (to: string, ...codecs: string[]) =>
    media.make(...testClip({ size: '64x48', fps: '10', seconds: 3 }), ...codecs, '-live', '1', '-f', to, `piped.${to}`)

  it.each([
    ['webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus']],
    ['matroska', ['-c:v', 'libx264', '-g', '10', '-c:a', 'aac']],
  ])('%s is split by time', async (muxer, codecs) => {
    const from = muxer === 'webm' ? 'webm' : 'mkv'
    const content = await piped(muxer, ...codecs)
    expect((await media.look(content, from)).seconds).toBeUndefined()
    const options = { seconds_per_file: 1 }
    const { files } = await media.run({ operation: 'split', from, content, to: from, options })
    expect(files).toHaveLength(3)
  })

  it('is compressed to a size', async () => {
    const content = await piped('matroska', '-c:v', 'libx264', '-crf', '5', '-c:a', 'aac')
    const options = { target_size: Math.floor(content.length / 2) }
    const { files } = await media.run({ operation: 'compress', from: 'mkv', content, to: 'mkv', options })
    expect(files[0]?.bytes.length).toBeLessThanOrEqual(options.target_size)
  })
})
