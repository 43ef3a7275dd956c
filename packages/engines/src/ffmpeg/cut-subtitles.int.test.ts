import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MediaBench, openMediaBench, testClip } from '../testing/media-bench.ts'

let media: MediaBench
/** 14 seconds with a key frame every two, and four subtitles, as each container stores them. */
const clips: Record<string, Buffer> = {}

const encoders: Readonly<Record<string, readonly string[]>> = {
  mkv: ['-c:v', 'libx264', '-c:a', 'aac', '-c:s', 'srt'],
  webm: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', '-c:s', 'webvtt'],
  mp4: ['-c:v', 'libx264', '-c:a', 'aac', '-c:s', 'mov_text'],
  mov: ['-c:v', 'libx264', '-c:a', 'aac', '-c:s', 'mov_text'],
}
const containers = Object.keys(encoders)

// One ends before a cut at 8 s, one is on screen then, one lies behind it, and one is on screen at 12 s.
const spoken = [
  ['00:00:01,000', '00:00:03,000', 'gone'],
  ['00:00:04,000', '00:00:09,000', 'on screen'],
  ['00:00:09,500', '00:00:10,000', 'inside'],
  ['00:00:11,500', '00:00:13,500', 'at the end'],
] as const
const srt = spoken.map(([from, to, text], n) => `${n + 1}\n${from} --> ${to}\n${text}\n`).join('\n')

beforeAll(async () => {
  media = await openMediaBench()
  for (const [ext, codecs] of Object.entries(encoders)) {
    const name = `clip.${ext}`
    const clip = testClip({ size: '96x64', fps: '10', seconds: 14 })
    const args = [
      '-v',
      'error',
      '-nostdin',
      '-f',
      'srt',
      '-i',
      'in.srt',
      ...clip,
      '-map',
      '1',
      '-map',
      '2',
      '-map',
      '0',
    ]
    const files = { 'in.srt': Buffer.from(srt) }
    const { outputs, end } = await media.bench.tool('ffmpeg', [...args, '-g', '20', ...codecs, name], {
      files,
      outputs: [name],
    })
    clips[ext] = outputs[name] ?? expect.fail(end.stderr)
  }
}, 60_000)
afterAll(() => media[Symbol.asyncDispose]())

interface Packet {
  readonly codec_type: string
  readonly pts_time: string
  readonly duration_time?: string
  readonly size: string
}

/** What a player shows of a file: its duration, the time of the first frame, and from when to when each subtitle. */
async function watch(bytes: Buffer, ext: string) {
  const name = `watch.${ext}`
  const entries = 'format=duration:packet=codec_type,pts_time,duration_time,size'
  const args = ['-v', 'error', '-of', 'json', '-show_entries', entries, name]
  const { stdout } = await media.bench.tool('ffprobe', args, { files: { [name]: bytes } })
  const { format, packets } = JSON.parse(stdout) as { format: { duration: string }; packets: readonly Packet[] }
  const tenths = (seconds: number) => Math.round(seconds * 10) / 10
  const frames = packets.filter(({ codec_type }) => codec_type === 'video')
  // MP4 fills the time between subtitles with empty ones of two bytes.
  const texts = packets.filter(({ codec_type, size }) => codec_type === 'subtitle' && Number(size) > 2)
  return {
    seconds: Number(format.duration),
    firstFrame: Math.min(...frames.map(({ pts_time }) => Number(pts_time))),
    subtitles: texts.map(({ pts_time, duration_time = '0' }) => [
      tenths(Number(pts_time)),
      tenths(Number(pts_time) + Number(duration_time)),
    ]),
  }
}

async function cut(operation: ProcessingOperation, from: string, to: string, options: GivenOptions) {
  const { files } = await media.run({ operation, from, content: clips[from] ?? Buffer.alloc(0), to, options })
  return Promise.all(files.map(({ bytes }) => watch(bytes, to)))
}

/** Matroska is read from the key frame before the cut: it has no way to find a subtitle that began earlier. */
const seen = (from: string, subtitles: number[][]) =>
  from === 'mkv' || from === 'webm' ? subtitles.slice(1) : subtitles

const cuts = [
  ['trim', (to: string) => to],
  ['convert', (to: string) => (to === 'mkv' ? 'mp4' : 'mkv')],
] as const

describe.each(containers)('a part of a video with subtitles as %s', (to) => {
  it.each(cuts)('has its duration, picture and subtitles after %s [D-op-30]', async (operation, sourceOf) => {
    const from = sourceOf(to)
    const [part] = await cut(operation, from, to, { start: '8', end: '12' })
    expect(part?.seconds).toBeCloseTo(4, 0)
    expect(part?.firstFrame).toBeLessThan(0.3)
    expect(part?.subtitles).toEqual(
      seen(from, [
        [0, 1],
        [1.5, 2],
        [3.5, 4],
      ]),
    )
  })

  it('has its duration, picture and subtitles after split', async () => {
    const [first, second] = await cut('split', to, to, { seconds_per_file: 8 })
    expect(first?.seconds).toBeCloseTo(8, 0)
    expect(first?.subtitles).toEqual([
      [1, 3],
      [4, 8],
    ])
    expect(second?.seconds).toBeCloseTo(6, 0)
    expect(second?.firstFrame).toBeLessThan(0.3)
    expect(second?.subtitles).toEqual(
      seen(to, [
        [0, 1],
        [1.5, 2],
        [3.5, 5.5],
      ]),
    )
  })

  it('shows no subtitle too long, and begins at the key frame before, after a fast trim', async () => {
    const [part] = await cut('trim', to, to, { start: '9', end: '12', mode: 'fast' })
    // The key frame before is at 8 s.
    expect(part?.seconds).toBeLessThan(5)
    expect(part?.firstFrame).toBeLessThan(0.3)
    expect(part?.subtitles.length).toBeLessThanOrEqual(3)
    for (const [from = 0, until = 0] of part?.subtitles ?? []) expect(until - from).toBeLessThan(1.1)
  })
})

it('subtitles that are drawn begin and end at the same images after a cut', async () => {
  const options = { start: '8', end: '12', subtitles: 'burn', video_codec: 'h264' }
  const { files } = await media.run({ from: 'mp4', content: clips.mp4 ?? Buffer.alloc(0), to: 'mp4', options })
  const plain = await media.run({
    from: 'mkv',
    content: clips.mkv ?? Buffer.alloc(0),
    to: 'mp4',
    options: { ...options, subtitles: 'none' },
  })
  const name = 'drawn.mp4'
  const other = 'plain.mp4'
  const compare = ['-v', 'error', '-nostdin', '-i', name, '-i', other, '-lavfi', 'psnr=stats_file=-', '-f', 'null', '-']
  const { stdout } = await media.bench.tool('ffmpeg', compare, {
    files: { [name]: files[0]?.bytes ?? Buffer.alloc(0), [other]: plain.files[0]?.bytes ?? Buffer.alloc(0) },
  })
  const differs = stdout
    .trim()
    .split('\n')
    .map((line) => Number(/psnr_avg:([\d.]+|inf)/.exec(line)?.[1]?.replace('inf', '99')) < 39)
  // Ten frames a second: "on screen" for one second, then half a second without, then "inside".
  expect(differs.slice(2, 8)).toEqual(Array(6).fill(true))
  expect(differs.slice(11, 14)).toEqual(Array(3).fill(false))
  expect(differs.slice(16, 19)).toEqual(Array(3).fill(true))
  expect(differs.slice(22, 33)).toEqual(Array(11).fill(false))
})
