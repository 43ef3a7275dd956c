import { type Failure, failure } from '@lathe/domain'
import type { Plan, ProcessStep } from '../engine.ts'
import { type AudioCodecName, audioCodec } from '../media/audio-codecs.ts'
import { type Conversion, convertArgs } from './convert-args.ts'
import { kbpsFor } from './encode-audio.ts'
import { type MediaJob, made, type Span } from './job.ts'
import type { VideoStream } from './media.ts'
import type { MediaSettings } from './media-settings.ts'
import { canPassTwice } from './plan-convert.ts'
import { type Attempt, fillingKbps, planTarget } from './plan-target.ts'
import { runStep } from './run-step.ts'

/** A video may be 3 % smaller than the target, audio 10 %, because audio encoders support fewer rates. */
const enough = { video: 0.97, audio: 0.9 } as const

/** Below this many bits per pixel, the image breaks up. The video is then scaled down instead. */
const fewestBits = 0.02

/** Plans tries at a size with different video bit rates. */
export function planVideoTarget(job: MediaJob, conversion: Conversion, bytes: number): Plan | Failure {
  const { seconds } = job.media
  const { video } = conversion.streams
  if (seconds === undefined || video === undefined) return unknownLength()
  const aim = { bytes, enough: enough.video }
  const sound = soundKbps(conversion, (bytes * 8) / seconds / 1000, bytes / job.source.size)
  const settings = { ...conversion.settings, ...(sound.track > 0 && { audioKbps: sound.track }), isTwoPass: true }
  // Headers and the index: about 1 % at low rates, plus 2 kB.
  const fixedBytes = (sound.all * 1000 * seconds) / 8 + 2000 + bytes * 0.01
  const firstKbps = fillingKbps(aim, fixedBytes, seconds)
  const share = shareOfSide(video.stream, settings, firstKbps)
  const facts = { aim, fixedBytes, firstKbps, seconds }
  return planTarget(
    job,
    videoAttempt(job, { ...conversion, settings: scaled(settings, video.stream, share) }, facts, share),
  )
}

interface Facts {
  readonly aim: Attempt['aim']
  readonly fixedBytes: number
  readonly firstKbps: number
  readonly seconds: number
}

function videoAttempt(job: MediaJob, conversion: Conversion, facts: Facts, share: number): Attempt {
  const span: Span = { start: 0, args: [], seconds: facts.seconds }
  const { video } = conversion.streams
  return {
    ...facts,
    leastKbps: 4,
    steps: (kbps, n, isFirst) => trySteps(job, { conversion, span, kbps, output: tryFile(job, n), isFirst }),
    file: (n) => tryFile(job, n),
    smaller: () => {
      const next = share * 0.7
      const isTiny = video === undefined || next * Math.min(video.stream.width, video.stream.height) < 48
      const quiet = quieter(conversion)
      if (isTiny && quiet === conversion) return undefined
      if (isTiny) return videoAttempt(job, quiet, facts, share)
      return videoAttempt(job, { ...quiet, settings: scaled(quiet.settings, video.stream, 0.7) }, facts, next)
    },
    larger: (bytes, kbps) => {
      const louder = withSound(conversion, (bytes * 8) / facts.seconds / 1000)
      if (louder === undefined) return undefined
      const fixedBytes = facts.fixedBytes + bytes
      const more = { ...facts, fixedBytes, firstKbps: kbps }
      return { ...videoAttempt(job, louder, more, share), larger: () => undefined }
    },
  }
}

/**
 * The same with a fifth less for its audio, down to the minimum of the codec; then with Opus, which needs the least.
 */
function quieter(conversion: Conversion): Conversion {
  const { streams, settings, container } = conversion
  const codec = streams.audio[0]?.codec
  const least = codec === undefined ? undefined : audioCodec(codec).kbps?.min
  if (least === undefined || settings.audioKbps === undefined) return conversion
  if (settings.audioKbps <= least) {
    if (codec === 'opus' || !container.audio.includes('opus')) return conversion
    const audio = streams.audio.map((track) => ({ ...track, codec: 'opus' as const }))
    return { ...conversion, streams: { ...streams, audio }, settings: withKbps(settings, Math.floor(least / 2)) }
  }
  return { ...conversion, settings: withKbps(settings, Math.max(least, Math.floor(settings.audioKbps * 0.8))) }
}

/** The same with more for its audio, up to its original rate; if that is unknown, up to twice the usual rate. */
function withSound(conversion: Conversion, moreKbps: number): Conversion | undefined {
  const { streams, settings } = conversion
  const [first] = streams.audio
  if (first?.codec === undefined) return undefined
  const had = first.stream.bitRate
    ? first.stream.bitRate / 1000
    : 2 * usualKbps(first.codec, first.stream.channels ?? 2)
  const { audioKbps = had } = settings
  const louder = Math.floor(Math.min(audioKbps + moreKbps / Math.max(streams.audio.length, 1), had))
  return louder <= audioKbps ? undefined : { ...conversion, settings: { ...settings, audioKbps: louder } }
}

function usualKbps(codec: AudioCodecName, channels: number): number {
  return kbpsFor(audioCodec(codec), undefined, channels)
}

interface TryRun {
  readonly conversion: Conversion
  readonly span: Span
  readonly kbps: number
  readonly output: string
  readonly isFirst: boolean
}

function trySteps(job: MediaJob, { conversion, span, kbps, output, isFirst }: TryRun): readonly ProcessStep[] {
  const { crf, quality, ...rest } = conversion.settings
  const rated = { ...conversion, settings: { ...rest, videoKbps: kbps } }
  const { muxer } = conversion.container
  if (!canPassTwice(rated)) return [lenient(runStep(job, { span, args: convertArgs(rated), muxer, output }))]
  const log = made(job, 'pass', '')
  const second = lenient(runStep(job, { span, args: convertArgs(rated, { number: 2, log }), muxer, output, weight: 2 }))
  if (!isFirst) return [second]
  return [runStep(job, { span, args: convertArgs(rated, { number: 1, log }), muxer, weight: 1 }), second]
}

// A rate that is too low to encode does not fail the task: the next try has a smaller image.
function lenient(step: ProcessStep): ProcessStep {
  return {
    ...step,
    readExit: (exit) => (/bitrate (is )?too low/i.test(exit.stderr) ? {} : step.readExit?.(exit)),
  }
}

function tryFile(job: MediaJob, n: number): string {
  return made(job, 'try', `-${n}.${job.to}`)
}

/**
 * kbit/s per track and in total: the share that the audio had before, or a fifth if that is more. In a video with
 * little motion, most of the file may be audio.
 */
function soundKbps({ streams, settings }: Conversion, total: number, kept: number): { track: number; all: number } {
  const [first] = streams.audio
  const codec = first?.codec === undefined ? undefined : audioCodec(first.codec)
  if (codec?.kbps === undefined) return { track: 0, all: 0 }
  const count = streams.audio.length
  const fair = kbpsFor(codec, settings.audioKbps, first?.stream.channels ?? 2)
  const had = ((first?.stream.bitRate ?? 0) / 1000) * kept
  const track = Math.max(codec.kbps.min, Math.min(fair, Math.floor(Math.max(total / 5 / count, had))))
  return { track, all: track * count }
}

function shareOfSide(video: VideoStream, { width, height, fps }: MediaSettings, kbps: number): number {
  if (width !== undefined || height !== undefined) return 1
  const pixels = video.width * video.height * (fps ?? video.fps ?? 25)
  const bits = (Math.max(kbps, 4) * 1000) / pixels
  return bits >= fewestBits ? 1 : Math.sqrt(bits / fewestBits)
}

function scaled(settings: MediaSettings, video: VideoStream, share: number): MediaSettings {
  if (share === 1) return settings
  const { width, height, ...rest } = settings
  const wide = width ?? (height === undefined ? video.width : (video.width * height) / video.height)
  return { ...rest, width: Math.max(32, Math.round(wide * share)) }
}

/** Plans tries at a size with different audio bit rates. */
export function planAudioTarget(job: MediaJob, conversion: Conversion, bytes: number): Plan | Failure {
  const { seconds } = job.media
  const [track] = conversion.streams.audio
  const codec = track?.codec === undefined ? undefined : audioCodec(track.codec)
  if (seconds === undefined || codec?.kbps === undefined) return unknownLength()
  const { min, max } = codec.kbps
  const aim = { bytes, enough: enough.audio }
  const fixedBytes = 1000
  const span: Span = { start: 0, args: [], seconds }
  const { muxer } = conversion.container
  return planTarget(job, {
    aim,
    fixedBytes,
    firstKbps: Math.min(fillingKbps(aim, fixedBytes, seconds), max),
    leastKbps: min,
    file: (n) => tryFile(job, n),
    steps: (kbps, n) => {
      const settings = withKbps(conversion.settings, kbps)
      const args = [...convertArgs({ ...conversion, settings }), ...(codec.anyRate ?? [])]
      return [runStep(job, { span, args, muxer, output: tryFile(job, n) })]
    },
  })
}

function withKbps(settings: MediaSettings, audioKbps: number): MediaSettings {
  return { ...settings, audioKbps, ...narrowed(settings, audioKbps) }
}

// At low rates, one channel and the range of speech sound better, and most encoders refuse anything else.
function narrowed(settings: MediaSettings, kbps: number): Partial<MediaSettings> {
  if (kbps >= 48) return {}
  return {
    channels: settings.channels ?? 1,
    ...(kbps < 32 && { sampleRate: settings.sampleRate ?? (kbps < 16 ? 16_000 : 22_050) }),
  }
}

function unknownLength(): Failure {
  return failure('unsupported', { text: 'The duration of the file is unknown, so no target size can be reached.' })
}
