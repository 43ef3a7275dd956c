import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { pdfStepLimits } from './limits.ts'

/** A run of a program that reads one PDF of the job folder and writes one file. */
export function processStep(
  program: string,
  args: readonly string[],
  { out, profile = 'pdf', ...more }: { out: string; profile?: string } & Partial<ProcessStep>,
): ProcessStep {
  const common = { profile, program, args, outputs: [out], limits: pdfStepLimits, readExit: readDamage }
  return { kind: 'process', ...common, ...more }
}

/** Takes an exit with an error for a PDF that the program cannot read. Above 128 it is a signal, so a crash. */
export function readDamage({ code, stderr }: StepExit): Failure | undefined {
  return code < 128 ? failure('input_damaged', { detail: `exit ${code}\n${stderr}` }) : undefined
}
