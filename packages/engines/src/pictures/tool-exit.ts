import { type Failure, failure } from '@lathe/domain'
import type { StepExit } from '../engine.ts'

/** Reads the exit of a small tool on a file never read before: the file is damaged, unless the tool crashed. */
export function toolExit(program: string) {
  return ({ code, stderr }: StepExit): Failure | undefined =>
    code > 128 ? undefined : failure('input_damaged', { detail: `${program}: exit ${code}\n${stderr}` })
}
