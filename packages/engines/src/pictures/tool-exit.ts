import { type Failure, failure } from '@lathe/domain'
import type { StepExit } from '../engine.ts'

/** Reads the exit of a small tool that was given a file never read before: it tells of the file unless it crashed. */
export function toolExit(program: string) {
  return ({ code, stderr }: StepExit): Failure | undefined =>
    code > 128 ? undefined : failure('input_damaged', { detail: `${program}: exit ${code}\n${stderr}` })
}
