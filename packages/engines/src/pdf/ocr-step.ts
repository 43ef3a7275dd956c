import type { ProcessStep } from '../engine.ts'
import { ocrLimits } from '../pages/limits.ts'
import { processStep } from '../pages/process-step.ts'
import type { PdfOptions } from './pdf-options.ts'

/** Adds recognized text below images of text. Pages that already have text are left as they are. */
export function ocrStep(file: string, out: string, language: string): ProcessStep {
  return recognize(file, out, ['--skip-text', '--language', language])
}

const withText = { skip: '--skip-text', redo: '--redo-ocr', force: '--force-ocr' }

/** The same, with the options of the operation `ocr`. */
export function ocrWorkStep(file: string, out: string, options: PdfOptions): ProcessStep {
  const { language = 'eng', pages_with_text = 'skip', rotate, deskew } = options
  const shape = [...(rotate === true ? ['--rotate-pages'] : []), ...(deskew ? ['--deskew'] : [])]
  return recognize(file, out, [withText[pages_with_text], ...shape, '--language', language])
}

function recognize(file: string, out: string, how: readonly string[]): ProcessStep {
  const manners = ['--quiet', '--skip-big', '100', '--output-type', 'pdf', '--optimize', '0', '--jobs', '2']
  return processStep('ocrmypdf', [...manners, ...how, file, out], {
    out,
    profile: 'ocr',
    limits: ocrLimits,
    weight: 10,
  })
}
