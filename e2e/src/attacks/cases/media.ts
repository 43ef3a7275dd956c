import type { PlanBench } from '@lathe/testing'
import { playlists } from '../../../../fixtures/attacks/media.ts'
import type { Attack, Variant } from '../support/attack.ts'
import { withStreams } from '../support/with-streams.ts'

/** File names under which a playlist would reach FFmpeg, and the requested target. */
const disguises = [
  ['x.mp4', 'webm'],
  ['x.avi', 'mp4'],
  ['x.ts', 'mp4'],
  ['x.aac', 'wav'],
] as const

const lists: Attack = {
  id: 'A04',
  title: 'playlists and scripts named like videos open nothing',
  variants: (bait) =>
    Object.entries(playlists(bait)).flatMap(([what, content]): Variant[] =>
      // A real AVI is read as AVI; the rest is text and not a video.
      typeof content === 'string'
        ? disguises.map(([filename, to]) => ({
            what: `${what}, as ${filename}`,
            filename,
            content,
            to,
            end: 'refused',
          }))
        : [
            { what, filename: 'x.avi', content, to: 'mp4' },
            { what: `${what}, burnt in`, filename: 'x.avi', content, to: 'mkv', options: { subtitles: 'burn' } },
          ],
    ),
}

const videos: Attack = {
  id: 'B04',
  title: 'videos that claim too much are refused from their heads',
  variants: async (_, bench) => {
    const avi = await make(bench, 'x.avi', [...picture, '-c:v', 'mjpeg'])
    // Raw images have no header other than the file's.
    const raw = await make(bench, 'x.avi', [...picture, '-c:v', 'rawvideo', '-pix_fmt', 'bgr24'])
    const mkv = await make(bench, 'x.mkv', [...picture, '-c:v', 'mpeg4'])
    return [
      limited('a frame of 16,384 squared', 'x.avi', withSize(raw, 16_384)),
      limited('a million frames a second', 'x.avi', withRate(avi, 1_000_000)),
      limited('a length of 30 years', 'x.mkv', withDuration(mkv, 1_000_000_000)),
      limited('200 streams', 'x.mp4', await withStreams(bench, 200)),
      limited('10,000 chapters', 'x.mkv', await withChapters(bench, mkv, 10_000)),
      {
        what: 'two frames, a day apart',
        filename: 'x.mkv',
        content: await make(bench, 'x.mkv', [
          ...picture,
          '-vf',
          'setpts=N*80000/TB',
          '-fps_mode',
          'passthrough',
          '-c:v',
          'mpeg4',
        ]),
        to: 'mp4',
        // At a constant frame rate this would be two million frames: the deadline stops it if it is not refused.
        isSlow: true,
      },
    ]
  },
  atOnce: 2,
}

const picture = ['-f', 'lavfi', '-i', 'color=s=64x64:r=10:d=0.2']

function limited(what: string, filename: string, content: Buffer): Variant {
  return { what, filename, content, to: 'webm', end: 'limited' }
}

async function make(bench: PlanBench, file: string, args: readonly string[]): Promise<Buffer> {
  const { end, outputs } = await bench.tool('ffmpeg', ['-nostdin', '-v', 'error', ...args, file], { outputs: [file] })
  const made = outputs[file]
  if (!made) throw new Error(`no ${file} was made: ${JSON.stringify(end)}`)
  return made
}

async function withChapters(bench: PlanBench, video: Buffer, count: number): Promise<Buffer> {
  const chapter = (n: number) => `[CHAPTER]\nTIMEBASE=1/1000000\nSTART=${n}\nEND=${n + 1}\ntitle=c\n`
  const meta = `;FFMETADATA1\n${Array.from({ length: count }, (_, n) => chapter(n)).join('')}`
  const args = [
    '-nostdin',
    '-v',
    'error',
    '-i',
    'in.mkv',
    '-i',
    'meta',
    '-map_metadata',
    '1',
    '-map_chapters',
    '1',
    '-c',
    'copy',
    'x.mkv',
  ]
  const { outputs, end } = await bench.tool('ffmpeg', args, { files: { 'in.mkv': video, meta }, outputs: ['x.mkv'] })
  if (!outputs['x.mkv']) throw new Error(`no chapters were written: ${JSON.stringify(end)}`)
  return outputs['x.mkv']
}

/** Both headers of an AVI contain the frame size. */
function withSize(avi: Buffer, side: number): Buffer {
  const changed = Buffer.from(avi)
  const [main, format] = [changed.indexOf('avih') + 8, changed.indexOf('strf') + 8]
  changed.writeUInt32LE(side, main + 32)
  changed.writeUInt32LE(side, main + 36)
  changed.writeInt32LE(side, format + 4)
  changed.writeInt32LE(side, format + 8)
  return changed
}

function withRate(avi: Buffer, rate: number): Buffer {
  const changed = Buffer.from(avi)
  const stream = changed.indexOf('strh') + 8
  changed.writeUInt32LE(1, stream + 20)
  changed.writeUInt32LE(rate, stream + 24)
  changed.writeUInt32LE(1, changed.indexOf('avih') + 8)
  return changed
}

/** Changes the duration in the header, in milliseconds. */
function withDuration(mkv: Buffer, seconds: number): Buffer {
  const changed = Buffer.from(mkv)
  const at = changed.indexOf(Buffer.from('448988', 'hex'))
  if (at === -1) throw new Error('the video tells no length')
  changed.writeDoubleBE(seconds * 1000, at + 3)
  return changed
}

/** Attacks with audio and video. */
export const mediaAttacks: readonly Attack[] = [lists, videos]
