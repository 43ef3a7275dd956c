import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit, StepLimits } from '../engine.ts'
import { longestSides } from './decoder-limits.ts'
import { pictureLimits } from './limits.ts'
import { type Grant, policyFor } from './policy.ts'

/** A run of ImageMagick. */
export interface MagickRun {
  readonly grant: Grant
  readonly args: readonly string[]
  readonly outputs: readonly string[]
  readonly limits: StepLimits
  readonly capture?: boolean
  readonly weight?: number
  /** Whose fault an exit with an error is: the owner's for a file that was never read before, ours otherwise. */
  readonly blame: 'input' | 'engine'
}

/** Runs ImageMagick under a policy of its own, made for this run, which the sandbox profile has it look for in the job folder. */
export function magickStep({ grant, args, blame, ...step }: MagickRun): ProcessStep {
  return {
    kind: 'process',
    profile: 'magick',
    program: 'magick',
    args,
    writes: [{ file: 'policy.xml', text: policyFor(grant) }],
    ...(blame === 'input' && { readExit: readExitOf(grant) }),
    ...step,
  }
}

// 1: it said why. Anything above 128 is a signal, so a crash.
function readExitOf({ maxSide = longestSides.any }: Grant) {
  return ({ code, stderr }: StepExit): Failure | undefined => {
    if (code > 128) return undefined
    const detail = `magick: exit ${code}\n${stderr}`
    if (!/exceeds? limit|limit exceeded|resource.?limit|exhausted/i.test(stderr)) {
      return failure('input_damaged', { detail })
    }
    const { pixels, frames } = pictureLimits
    const text = `The image has a side of more than ${maxSide} pixels, more than ${pixels} pixels, or more than ${frames} images, which are the limits.`
    return failure('limit_exceeded', { text, detail })
  }
}
