import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, SourceFile, StepExit } from '../engine.ts'
import { synthesizeLimits } from '../media/limits.ts'
import type { Media } from './media.ts'

const wave = { rate: 44_100, channels: 2, sampleBytes: 2, headerBytes: 44 } as const

/** The facts about a wave file of this size that `synthesizeStep` created. */
export function playedMedia(size: number): Media | Failure {
  const { rate, channels, sampleBytes, headerBytes } = wave
  if (size <= headerBytes) return failure('input_damaged', { detail: 'fluidsynth played nothing' })
  const bytesPerSecond = rate * channels * sampleBytes
  const bitRate = bytesPerSecond * 8
  return {
    seconds: (size - headerBytes) / bytesPerSecond,
    bitRate,
    streams: 1,
    chapters: 0,
    isHidden: false,
    audio: [{ index: 0, codec: 'pcm_s16le', sampleRate: rate, channels, bitRate }],
    subtitles: [],
    covers: [],
    unknown: 0,
  }
}

/**
 * Renders a score to a wave file with Debian's default sound font. No audio device, MIDI device or shell is opened:
 * FluidSynth renders as fast as it can and exits.
 */
export function synthesizeStep({ file }: SourceFile, output: string): ProcessStep {
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'fluidsynth',
    args: [...['-n', '-i', '-q', '-r', String(wave.rate), '-T', 'wav', '-O', 's16'], ...['-F', output], file],
    outputs: [output],
    limits: synthesizeLimits,
    // FluidSynth does not report progress; encoding its output takes about as long.
    weight: 1,
    readExit,
  }
}

// 128 plus the number of SIGXFSZ: the wave file reached the size limit of the step.
const fileTooLarge = 128 + 25

function readExit({ code, stderr }: StepExit): Failure {
  if (code !== fileTooLarge) return failure('input_damaged', { detail: stderr })
  const text =
    'The score plays for longer than 1 hour and 40 minutes, which is the limit. Split it and convert the parts.'
  return failure('limit_exceeded', { text })
}
