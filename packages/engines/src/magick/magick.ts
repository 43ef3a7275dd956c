import { isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import { alongside } from '../alongside.ts'
import type { Engine } from '../engine.ts'
import { abilities } from '../pictures/decoded-abilities.ts'
import { toParams } from '../pictures/picture-call.ts'
import { planPicture } from '../pictures/plan-picture.ts'
import { checkPlanOptions, warningsOf } from '../plan-options.ts'
import { magickTool } from './tool.ts'

/**
 * Images that libvips cannot handle: ImageMagick, libjxl, LibRaw and Pillow read and write them, libvips does the rest.
 */
export const magick: Engine = {
  id: 'magick',
  family: 'image',
  tools: [magickTool],
  cost: { startS: 0.5, perMiBS: 1, to: { avif: { startS: 1, perMiBS: 4 } } },
  abilities,

  plan(request) {
    const parts = allOrFailure(request.sources.map((source) => checkPlanOptions(abilities, request, [source])))
    if (isFailure(parts)) return parts
    const { operation, roles, to } = request
    const plans = allOrFailure(
      request.sources.map((source, n) => {
        const part = parts[n] ?? empty
        const mark = { overlay: roles?.overlay, options: part.effective }
        return planPicture({ n, source, params: toParams(part), operation, to, mark })
      }),
    )
    if (isFailure(plans)) return plans
    const plan = alongside(plans)
    return { ...plan, warnings: [...warningsOf(parts), ...plan.warnings] }
  },
}

const empty = { descriptors: [], effective: {} }
