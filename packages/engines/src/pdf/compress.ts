import type { Plan } from '../engine.ts'
import { compressStep } from './compress-step.ts'
import type { OpenPdf } from './open-pdf.ts'
import { planStages, tidy } from './rewrite.ts'

/** Plans a smaller PDF. */
export function compress(opened: OpenPdf, source: string, options: Readonly<Record<string, unknown>>): Plan {
  const { level = 'medium', dpi, quality } = options
  const asked = {
    level: String(level),
    ...(dpi !== undefined && { dpi: Number(dpi) }),
    ...(quality !== undefined && { quality: Number(quality) }),
  }
  const stages = [tidy(options), (file: string, out: string) => compressStep(file, out, asked)]
  return planStages(stages, opened, { unlessSmallerThan: source })
}
