import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { processStep } from './process-step.ts'

/** A run of qpdf. A document that qpdf could repair counts as a success. */
export function qpdfStep(args: readonly string[], more: { out: string } & Partial<ProcessStep>): ProcessStep {
  return processStep('qpdf', ['--warning-exit-0', ...args], { readExit: readQpdfExit, weight: 0.2, ...more })
}

function readQpdfExit({ code, stderr }: StepExit): Failure | undefined {
  const detail = `qpdf: exit ${code}\n${stderr}`
  if (/invalid password/.test(stderr)) {
    const text = 'The password of the PDF is wrong. Set the right one in the option password.'
    return failure('input_encrypted', { text, detail })
  }
  return code === 2 ? failure('input_damaged', { detail }) : undefined
}
