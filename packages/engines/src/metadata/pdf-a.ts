import type { JsonObject, ProcessStep, SourceFile } from '../engine.ts'
import { readJsonLines } from '../json-lines.ts'
import { processStep } from '../pages/process-step.ts'
import { plainPdf } from './opened-pdf.ts'
import { pdfAScript } from './pdf-a-script.ts'

/** Checks a PDF against PDF/A. `readPdfA` reads the result. */
export function pdfAStep({ file }: SourceFile): ProcessStep {
  return processStep('python3', ['pdf_a.py', file, file === plainPdf ? 'locked' : 'open'], {
    out: '',
    outputs: [],
    modules: { pdf_a: pdfAScript },
    capture: true,
  })
}

/** The result of the check, for the metadata document. */
export function readPdfA(stdout: string): JsonObject {
  const [found] = readJsonLines([stdout])
  return found === undefined ? {} : { pdf_a: found as JsonObject }
}
