import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Engine, Plan, PlanRequest } from '../engine.ts'
import { checkPlanOptions } from '../plan-options.ts'
import { abilities } from './abilities.ts'
import { drawPages } from './draw.ts'
import { type OpenPdf, openPdf } from './open-pdf.ts'
import type { RasterFormat } from './raster-step.ts'
import { extractText } from './text.ts'

type Options = Readonly<Record<string, unknown>>

/** PDF by poppler, qpdf and MuPDF. */
export const pdf: Engine = {
  id: 'pdf',
  abilities,

  plan(request) {
    const [source] = request.sources
    if (source === undefined || request.sources.length > 1) return failure('unsupported')
    const checked = checkPlanOptions(abilities, request, [source])
    if (isFailure(checked)) return checked
    const { effective, warnings } = checked
    const password = effective.password === undefined ? undefined : String(effective.password)
    const plan = openPdf(source, password, (opened) => planOne(request, opened, effective))
    return { ...plan, warnings }
  },
}

function planOne({ to }: PlanRequest, opened: OpenPdf, options: Options): Plan | Failure {
  if (to === 'txt') return extractText(opened, options)
  return drawPages(opened, to as RasterFormat, options)
}
