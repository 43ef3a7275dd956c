import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { pdfStepLimits } from './limits.ts'

/** A run of a program that reads one PDF in the job folder and writes one file. */
export function processStep(
  program: string,
  args: readonly string[],
  { out, profile = 'pdf', ...more }: { out: string; profile?: string } & Partial<ProcessStep>,
): ProcessStep {
  const common = { profile, program, args, outputs: [out], limits: pdfStepLimits, readExit: readDamage }
  return { kind: 'process', ...common, ...more }
}

/** Treats an error exit as a PDF that the program cannot read. A code above 128 is a signal, which means a crash. */
export function readDamage({ code, stderr }: StepExit): Failure | undefined {
  return code < 128 ? failure('input_damaged', { detail: `exit ${code}\n${stderr}` }) : undefined
}
