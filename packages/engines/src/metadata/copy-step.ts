import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, SourceFile, StepExit } from '../engine.ts'
import { ffmpegCrashes } from '../ffmpeg-crashes.ts'
import { findContainer } from '../media/containers.ts'
import { sourceInput, startArgs } from '../media/input.ts'
import { encodeLimits } from '../media/limits.ts'

interface Copy {
  /** Additional inputs with their arguments. */
  readonly moreInputs?: readonly string[]
  readonly args: readonly string[]
  readonly out: string
  readonly writes?: ProcessStep['writes']
}

/** A run of FFmpeg that copies streams into a file of the same format. */
export function copyStep(source: SourceFile, { moreInputs = [], args, out, writes = [] }: Copy): ProcessStep {
  const target = ['-f', findContainer(source.format)?.muxer ?? '', `file:${out}`]
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'ffmpeg',
    args: [...startArgs({ isStrict: true }), ...sourceInput(source), ...moreInputs, ...args, ...target],
    writes,
    outputs: [out],
    limits: encodeLimits(source.size, undefined),
    readExit,
  }
}

function readExit({ code, stderr }: StepExit): Failure | undefined {
  if (ffmpegCrashes.includes(code)) return undefined
  return failure('input_damaged', { detail: `ffmpeg: exit ${code}\n${stderr.slice(-2000)}` })
}
