import type { PlanBench } from '@lathe/testing'
import { type Facts, type Given, refuse } from './facts.ts'
import { fileOf, runTool } from './run-tool.ts'

interface Stream {
  readonly codec_type: string
  readonly codec_name: string
  readonly width?: number
  readonly height?: number
  readonly avg_frame_rate?: string
  readonly sample_rate?: string
  readonly channels?: number
  readonly nb_read_packets?: string
}

interface Probe {
  readonly format: { readonly format_name: string }
  readonly streams: readonly Stream[]
}

/** Demuxers whose name in FFmpeg differs from the format's extension. */
const demuxers: Readonly<Record<string, string>> = {
  '3gp': '3gp',
  m4v: 'mp4',
  wmv: 'asf',
  wma: 'asf',
  mkv: 'matroska',
  mpg: 'mpeg',
  ts: 'mpegts',
  ogv: 'ogg',
  opus: 'ogg',
  spx: 'ogg',
}

/** Opens audio or video with ffprobe and decodes all of it. */
export async function openMedia(bench: PlanBench, given: Given): Promise<Facts> {
  const { format } = given
  const probe = await probeMedia(bench, given)
  const names = probe.format.format_name.split(',')
  if (!names.includes(demuxers[format] ?? format)) refuse(format, `ffprobe takes it for ${names.join(', ')}`)
  await runTool(bench, 'ffmpeg', ['-v', 'error', '-xerror', '-i', fileOf(given), '-f', 'null', '-'], { given })
  const facts = toFacts(probe)
  const isHeard = facts.durationMs === undefined && facts.audioCodec !== undefined
  return { format, ...facts, ...(isHeard && { durationMs: await measureSound(bench, given) }) }
}

async function probeMedia(bench: PlanBench, given: Given): Promise<Probe> {
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-count_packets', fileOf(given)]
  const { stdout } = await runTool(bench, 'ffprobe', args, { given })
  const probe = JSON.parse(stdout) as Probe
  if (probe.streams.length === 0) refuse(given.format, 'it has no streams')
  return probe
}

function toFacts({ streams }: Probe): Omit<Facts, 'format'> {
  const video = streams.find(({ codec_type }) => codec_type === 'video')
  const audio = streams.find(({ codec_type }) => codec_type === 'audio')
  const frameRate = readRate(video?.avg_frame_rate)
  return {
    ...(video && {
      videoCodec: video.codec_name,
      width: video.width ?? 0,
      height: video.height ?? 0,
      frameRate,
      // Not the container's duration: audio continues after the last frame, by an incomplete packet. A cover has no
      // frame rate.
      ...(frameRate > 0 && { durationMs: Math.round((Number(video.nb_read_packets) / frameRate) * 1000) }),
    }),
    ...(audio && {
      audioCodec: audio.codec_name,
      sampleRate: Number(audio.sample_rate),
      channels: audio.channels ?? 0,
    }),
  }
}

function readRate(ratio = '0/1'): number {
  const [above = 0, below = 1] = ratio.split('/').map(Number)
  return below === 0 ? 0 : Math.round((above / below) * 1000) / 1000
}

/** The first frame as PNG. */
export async function drawFrame(bench: PlanBench, given: Given): Promise<Buffer> {
  const args = ['-v', 'error', '-i', fileOf(given), '-frames:v', '1', '-update', '1', 'out.png']
  const { outputs } = await runTool(bench, 'ffmpeg', args, { given, outputs: ['out.png'] })
  return outputs['out.png'] ?? refuse(given.format, 'it has no frame')
}

const heardRate = 8000

/** The first audio track at 8,000 samples per second. */
async function listen(bench: PlanBench, given: Given): Promise<Buffer> {
  const args = ['-v', 'error', '-i', fileOf(given), '-ac', '1', '-ar', `${heardRate}`, '-f', 's16le', 'out.pcm']
  const { outputs } = await runTool(bench, 'ffmpeg', args, { given, outputs: ['out.pcm'] })
  return outputs['out.pcm'] ?? refuse(given.format, 'it has no sound')
}

/** The duration of audio when it is played, without the encoder's padding. */
async function measureSound(bench: PlanBench, given: Given): Promise<number> {
  return Math.round(((await listen(bench, given)).length / 2 / heardRate) * 1000)
}

/** The pitch and loudness of a tone, from its zero crossings and its mean square. */
export async function hearTone(bench: PlanBench, given: Given): Promise<{ pitchHz: number; loudness: number }> {
  const pcm = await listen(bench, given)
  // Encoders fade in and out: only the middle half counts.
  const all = Array.from({ length: Math.floor(pcm.length / 2) }, (_, i) => pcm.readInt16LE(i * 2))
  const samples = all.slice(Math.floor(all.length / 4), Math.floor((all.length * 3) / 4))
  const rises = samples.filter((value, i) => i > 0 && value >= 0 && (samples[i - 1] ?? 0) < 0).length
  const square = samples.reduce((sum, value) => sum + value * value, 0) / samples.length
  return { pitchHz: (rises * heardRate) / samples.length, loudness: Math.sqrt(square) / 32_768 }
}
