import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, SourceFile, StepExit, Tolerated } from '../engine.ts'
import { ffmpegCrashes } from '../ffmpeg-crashes.ts'
import { sourceInput, startArgs } from '../media/input.ts'
import { encodeLimits } from '../media/limits.ts'
import { damageReaders } from '../media/read-damage.ts'
import { speechLimits } from './limits.ts'

/** The input that the models were trained on: 16,000 samples per second, one channel, two bytes each. */
const rate = 16_000
const sampleBytes = 2

/** The duration of a recording with this many bytes of samples. */
export function secondsOf(bytes: number): number {
  return bytes / (rate * sampleBytes)
}

const noAudio = 'The file holds no audio, so there is nothing to transcribe.'

/** Decodes the first audio stream into raw samples, up to just past the longest accepted duration. */
export function samplesStep(source: SourceFile, out: string, isStrict: boolean): ProcessStep {
  // FFmpeg's own decoder makes wideband Speex twice as long as it is.
  const decoder = source.format === 'spx' ? ['-c:a', 'libspeex'] : []
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'ffmpeg',
    args: [
      ...[...startArgs({ isStrict }), '-abort_on', 'empty_output', ...decoder, ...sourceInput(source)],
      ...['-map', '0:a:0', '-ac', '1', '-ar', String(rate), '-c:a', 'pcm_s16le'],
      ...['-t', String(speechLimits.seconds + 1), '-f', 's16le', `file:${out}`],
    ],
    outputs: [out],
    limits: encodeLimits(source.size, undefined),
    // Decoding is short compared with the recognition.
    weight: 0.05,
    ...damageReaders(isStrict),
    readExit,
  }
}

function readExit(exit: StepExit): Failure | Tolerated | undefined {
  const { code, stderr: detail } = exit
  if (ffmpegCrashes.includes(code)) return undefined
  if (/matches no streams/.test(detail)) return failure('unsupported', { text: noAudio, detail })
  // This is the first step that reads the file: if FFmpeg cannot open it, it is damaged.
  return damageReaders(false).readExit(exit) ?? failure('input_damaged', { detail })
}
