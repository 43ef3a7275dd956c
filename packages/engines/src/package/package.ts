import { isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import type { Ability, CallStep, Engine, JsonObject, SourceFile } from '../engine.ts'
import { checkPlanOptions, warningsOf } from '../plan-options.ts'
import { toReduction } from './levels.ts'
import { packageLimits, packageStepLimits } from './limits.ts'
import { compressOptions } from './options.ts'

const openXml = ['docx', 'docm', 'dotx', 'pptx', 'pptm', 'ppsx', 'xlsx', 'xlsm']
const openDocument = ['odt', 'ods', 'odp', 'odg', 'ott', 'ots', 'otp']

const abilities = [...openXml, ...openDocument, 'epub'].map(
  (format) => ({ operation: 'compress', from: format, to: format, options: compressOptions }) satisfies Ability,
)

/** Compresses documents that are ZIP packages with images, in the warm runner of the vips engine. */
export const packages: Engine = {
  id: 'package',
  family: 'office',
  tools: [],
  cost: { startS: 0.3, perMiBS: 0.2 },
  abilities,

  plan(request) {
    const { sources, to } = request
    const parts = allOrFailure(sources.map((source) => checkPlanOptions(abilities, request, [source])))
    if (isFailure(parts)) return parts
    const steps = parts.flatMap((part, n) => {
      const source = sources[n]
      return source ? [compressCall(source, `out-${n}.${to}`, toReduction(part.effective))] : []
    })
    const outputs = sources.map(({ file }, n) => ({
      file: `out-${n}.${to}`,
      format: to,
      source: n,
      unlessSmallerThan: file,
    }))
    return { kind: 'plan', steps, outputs, warnings: warningsOf(parts) }
  },
}

function compressCall({ file, format }: SourceFile, out: string, params: JsonObject): CallStep {
  const request = {
    op: 'compress-package',
    inputs: [{ file, format }],
    outputs: [{ file: out, format }],
    params,
    limits: packageLimits,
  }
  return { kind: 'call', runner: 'vips', request, outputs: [out], limits: packageStepLimits }
}
