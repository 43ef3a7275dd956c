import type { ProcessStep } from '../engine.ts'
import { ocrLimits } from './limits.ts'
import { processStep } from './process-step.ts'

/** Lays recognised text under pictures of text. Pages that have text already are left alone. */
export function ocrStep(file: string, out: string, language: string): ProcessStep {
  const manners = ['--quiet', '--skip-text', '--skip-big', '100', '--output-type', 'pdf', '--optimize', '0']
  return processStep('ocrmypdf', [...manners, '--jobs', '2', '--language', language, file, out], {
    out,
    profile: 'ocr',
    limits: ocrLimits,
    weight: 10,
  })
}
