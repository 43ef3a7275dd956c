import type { ProcessStep } from '../engine.ts'
import { ocrLimits } from '../pages/limits.ts'
import { processStep } from '../pages/process-step.ts'

/** Puts recognized text under images of text. Pages that have text already are left alone. */
export function ocrStep(file: string, out: string, language: string): ProcessStep {
  return recognize(file, out, ['--skip-text', '--language', language])
}

const withText: Readonly<Record<string, string>> = { skip: '--skip-text', redo: '--redo-ocr', force: '--force-ocr' }

/** The same, as the operation `ocr` is asked to. */
export function ocrWorkStep(file: string, out: string, options: Readonly<Record<string, unknown>>): ProcessStep {
  const { language = 'eng', pages_with_text = 'skip', rotate, deskew } = options
  const shape = [...(rotate === true ? ['--rotate-pages'] : []), ...(deskew === true ? ['--deskew'] : [])]
  return recognize(file, out, [
    withText[String(pages_with_text)] ?? '--skip-text',
    ...shape,
    '--language',
    String(language),
  ])
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
