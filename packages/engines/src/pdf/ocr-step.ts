import type { ProcessStep } from '../engine.ts'
import { pdfStepLimits } from './limits.ts'
import { processStep } from './process-step.ts'

const GiB = 1024 ** 3

/** Lays recognised text under pictures of text. Pages that have text already are left alone. */
export function ocrStep(file: string, out: string, language: string): ProcessStep {
  const manners = ['--quiet', '--skip-text', '--skip-big', '100', '--output-type', 'pdf', '--optimize', '0']
  return processStep('ocrmypdf', [...manners, '--jobs', '2', '--language', language, file, out], {
    out,
    profile: 'ocr',
    // A page takes seconds, and says nothing meanwhile.
    limits: { ...pdfStepLimits, memoryBytes: 4 * GiB, timeMs: 1_800_000, silenceMs: 300_000 },
    weight: 10,
  })
}
