import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, SourceFile, StepExit, Tolerated } from '../engine.ts'
import { ffmpegCrashes } from '../ffmpeg-crashes.ts'
import { sourceInput, startArgs } from '../media/input.ts'
import { encodeLimits } from '../media/limits.ts'
import { damageReaders } from '../media/read-damage.ts'
import { speechLimits } from './limits.ts'

/** What the models were trained on: 16,000 samples a second of one channel, two bytes each. */
const rate = 16_000
const sampleBytes = 2

/** How long a recording of so many bytes lasts. */
export function secondsOf(bytes: number): number {
  return bytes / (rate * sampleBytes)
}

const noAudio = 'The file holds no audio, so there is nothing to transcribe.'

/** Decodes the first audio stream into bare samples, to just past the longest that is taken. */
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
    // A moment beside what follows.
    weight: 0.05,
    ...damageReaders(isStrict),
    readExit,
  }
}

function readExit(exit: StepExit): Failure | Tolerated | undefined {
  const { code, stderr: detail } = exit
  if (ffmpegCrashes.includes(code)) return undefined
  if (/matches no streams/.test(detail)) return failure('unsupported', { text: noAudio, detail })
  // Nothing has looked at the file before: what FFmpeg cannot open is damaged.
  return damageReaders(false).readExit(exit) ?? failure('input_damaged', { detail })
}
