import { isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { compressStep } from './compress-step.ts'
import type { OpenPdf } from './open-pdf.ts'
import { planStages, tidy } from './rewrite.ts'

const imagesKept = 'The images could not be recompressed, so the PDF is only packed better.'

/** Plans a smaller PDF. */
export function compress(opened: OpenPdf, source: string, options: Readonly<Record<string, unknown>>): Plan {
  const { level = 'medium', dpi, quality } = options
  const asked = {
    level: String(level),
    ...(dpi !== undefined && { dpi: Number(dpi) }),
    ...(quality !== undefined && { quality: Number(quality) }),
  }
  const reduce = (file: string, out: string) => compressStep(file, out, asked)
  const plan = planStages([tidy(options), reduce], opened, { unlessSmallerThan: source })
  return asked.level === 'low' ? plan : packedAtLeast(plan)
}

/** MuPDF gives up on a page it cannot rewrite, where it would still pack the file. */
function packedAtLeast(plan: Plan): Plan {
  const [tidied, reduced] = plan.steps
  const file = tidied?.outputs[0]
  const out = reduced?.outputs[0]
  if (tidied === undefined || file === undefined || reduced?.kind !== 'process' || out === undefined) return plan
  const pack = compressStep(file, out, { level: 'low' })
  return {
    ...plan,
    steps: [tidied, { ...reduced, readExit: () => ({}) }],
    next(found) {
      const after = plan.next?.(found) ?? plan
      if (isFailure(after) || found.sizes[out] !== undefined) return after
      return { ...after, steps: [pack], warnings: [...after.warnings, imagesKept] }
    },
  }
}
