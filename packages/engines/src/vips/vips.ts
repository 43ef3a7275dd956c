import { type Failure, failure, isFailure } from '@lathe/domain'
import type { ProcessingOperation } from '@lathe/operations'
import { allOrFailure } from '../all-or-failure.ts'
import { alongside } from '../alongside.ts'
import type { Engine, Plan, PlanRequest } from '../engine.ts'
import { abilities } from '../pictures/abilities.ts'
import { pictureCall, toParams } from '../pictures/picture-call.ts'
import { planPicture } from '../pictures/plan-picture.ts'
import { checkOneSource, checkPlanOptions, warningsOf } from '../plan-options.ts'
import { missingRanges } from '../split/methods.ts'
import { vipsTool } from './tool.ts'

/** Images by libvips, and PDF from images by pdf-lib, in a warm runner. */
export const vips: Engine = {
  id: 'vips',
  family: 'image',
  tools: [vipsTool],
  cost: { startS: 0.1, perMiBS: 0.25, to: { avif: { startS: 0.5, perMiBS: 3 } } },
  abilities,

  plan: (request) => (planners[request.operation] ?? planEach)(request),
}

const planners: Partial<Record<ProcessingOperation, Engine['plan']>> = { merge: planMerge, split: planSplit }

function planEach(request: PlanRequest): Plan | Failure {
  const { operation, sources, roles, to } = request
  const parts = allOrFailure(sources.map((source) => checkPlanOptions(abilities, request, [source])))
  if (isFailure(parts)) return parts
  const plans = allOrFailure(
    parts.map((part, n) => {
      const source = sources[n]
      if (source === undefined) return failure('no_files')
      return planPicture({
        n,
        source,
        params: toParams(part),
        operation,
        to,
        mark: { overlay: roles?.overlay, options: part.effective },
      })
    }),
  )
  if (isFailure(plans)) return plans
  const plan = alongside(plans)
  return { ...plan, warnings: [...warningsOf(parts), ...plan.warnings] }
}

function planMerge(request: PlanRequest): Plan | Failure {
  const { operation, sources, to } = request
  if (sources.length < 2) return failure('unsupported', { text: 'A merge needs at least two files.' })
  const part = checkPlanOptions(abilities, request, sources)
  if (isFailure(part)) return part
  const output = { file: `out-0.${to}`, format: to }
  const steps = [pictureCall({ op: operation, inputs: sources, output, params: toParams(part) })]
  return { kind: 'plan', steps, outputs: [output], warnings: part.warnings }
}

/** Plans to split a file with pages into several. */
function planSplit(request: PlanRequest): Plan | Failure {
  const checked = checkOneSource(abilities, request)
  if (isFailure(checked)) return checked
  const { source, effective, warnings } = checked
  if (effective.by === 'ranges' && effective.ranges === undefined) return missingRanges
  const { operation, to } = request
  const call = pictureCall({
    op: operation,
    inputs: [source],
    output: { file: `out-0.${to}`, format: to },
    params: toParams(checked),
  })
  const outputs = [{ file: `out-0-*.${to}`, format: to, source: 0 }]
  return { kind: 'plan', steps: [{ ...call, outputs: [] }], outputs, warnings }
}
