import type { JsonObject, ProcessStep, SourceFile } from '../engine.ts'
import { readJsonLines } from '../json-lines.ts'
import { processStep } from '../pages/process-step.ts'
import { plainPdf } from './opened-pdf.ts'
import { pdfAScript } from './pdf-a-script.ts'

/** Checks a PDF against PDF/A; `readPdfA` reads the answer. */
export function pdfAStep({ file }: SourceFile): ProcessStep {
  return processStep('python3', ['pdf_a.py', file, file === plainPdf ? 'locked' : 'open'], {
    out: '',
    outputs: [],
    modules: { pdf_a: pdfAScript },
    capture: true,
  })
}

/** What the check found, for the document of all metadata. */
export function readPdfA(stdout: string): JsonObject {
  const [found] = readJsonLines([stdout])
  return found === undefined ? {} : { pdf_a: found as JsonObject }
}
