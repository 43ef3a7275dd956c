import type { ProcessStep, StepProfile } from '../engine.ts'
import { pdfStepLimits } from './limits.ts'

/** A run of a program that reads one PDF of the job folder and writes one file. */
export function processStep(
  program: string,
  args: readonly string[],
  { out, profile = 'pdf', ...more }: { out: string; profile?: StepProfile } & Partial<ProcessStep>,
): ProcessStep {
  return { kind: 'process', profile, program, args, outputs: [out], limits: pdfStepLimits, ...more }
}
