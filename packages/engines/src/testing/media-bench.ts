import { isFailure } from '@lathe/domain'
import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import { type BenchEnd, openPlanBench, type PlanBench } from '@lathe/testing'
import type { Media } from '../ffmpeg/media.ts'
import { parseProbe } from '../ffmpeg/parse-probe.ts'

/** A request of a test: one input file. */
export interface MediaRequest {
  readonly operation?: ProcessingOperation
  readonly from: string
  readonly content: Uint8Array
  readonly to?: string
  readonly options?: GivenOptions
}

/** The engine in the real sandbox, with functions to make recordings and to inspect them. */
export interface MediaBench extends AsyncDisposable {
  readonly bench: PlanBench
  /** Makes a file with FFmpeg; the last argument is its name. */
  make(...args: string[]): Promise<Buffer>
  run(request: MediaRequest): Promise<BenchEnd>
  /** The streams of a file, and how many frames can be decoded. */
  look(bytes: Uint8Array, ext: string): Promise<Media & { readonly frames: number }>
}

/** Opens the sandbox; takes a second or two. */
export async function openMediaBench(): Promise<MediaBench> {
  const bench = await openPlanBench()
  return {
    bench,
    async make(...args) {
      const name = args.at(-1) ?? ''
      const { end, outputs } = await bench.tool('ffmpeg', ['-v', 'error', '-nostdin', ...args], { outputs: [name] })
      const made = outputs[name]
      if (made === undefined) throw new Error(`no ${name}: ${end.stderr}`)
      return made
    },
    async run({ operation = 'convert', from, content, to = from, options = {} }) {
      const end = await bench.run({ operation, sources: [{ format: from, content }], to, options })
      if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
      return end
    },
    async look(bytes, ext) {
      const name = `look.${ext}`
      const args = [
        '-v',
        'error',
        '-of',
        'json',
        '-show_format',
        '-show_streams',
        '-show_chapters',
        '-count_frames',
        name,
      ]
      const { stdout, end } = await bench.tool('ffprobe', args, { files: { [name]: bytes } })
      if (end.kind !== 'exited' || end.code !== 0) throw new Error(end.stderr)
      const media = parseProbe(stdout)
      if (isFailure(media)) throw new Error(media.text)
      const streams: { codec_type: string; nb_read_frames: string; tags?: Record<string, string> }[] =
        JSON.parse(stdout).streams
      const frames = Number(streams.find(({ codec_type }) => codec_type === 'video')?.nb_read_frames ?? 0)
      return { ...media, frames }
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

/** Arguments for a test video with a tone. */
export function testClip({ size = '160x120', fps = '25', seconds = 1, rate = 44_100, channels = 2 } = {}): string[] {
  const picture = `testsrc2=size=${size}:rate=${fps}:duration=${seconds}`
  const tone = `sine=frequency=440:sample_rate=${rate}:duration=${seconds}`
  return ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone, '-ac', String(channels), '-pix_fmt', 'yuv420p']
}
