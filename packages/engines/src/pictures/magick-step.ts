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
  /** The cause of an error exit: the input if the file was never read before, the engine otherwise. */
  readonly blame: 'input' | 'engine'
}

/** Runs ImageMagick with a policy made for this run. The sandbox profile makes it look in the job folder for it. */
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

// 1: it reported an error. A code above 128 is a signal, which means a crash.
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
