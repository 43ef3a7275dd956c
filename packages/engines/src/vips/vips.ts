import { type Failure, failure, isFailure } from '@lathe/domain'
import type { CallStep, Engine, JsonObject, Plan, PlanRequest, SourceFile } from '../engine.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { checkPlanOptions, type PlanOptions } from '../plan-options.ts'
import { abilities } from './abilities.ts'
import { pictureLimits, vipsStepLimits } from './limits.ts'
import { pagePoints } from './pdf-options.ts'

/** Pictures by libvips, and PDF from pictures by pdf-lib, in a warm runner. */
export const vips: Engine = {
  id: 'vips',
  abilities,

  plan(request) {
    const { operation, sources, to } = request
    if (operation === 'merge') return planMerge(request)
    const parts = sources.map((source) => checkPlanOptions(abilities, request, [source]))
    const refused = parts.find(isFailure)
    if (refused !== undefined) return refused
    const outputs = sources.map((_, source) => ({ file: `out-${source}.${to}`, format: to, source }))
    const steps = parts.flatMap((part, n) =>
      isFailure(part) ? [] : [step(request, part, { sources: sources.slice(n, n + 1), file: `out-${n}.${to}` })],
    )
    return { kind: 'plan', steps, outputs, warnings: warningsOf(parts) }
  },
}

function planMerge(request: PlanRequest): Plan | Failure {
  const { sources, to } = request
  if (sources.length < 2) return failure('unsupported', { text: 'A merge needs at least two files.' })
  const part = checkPlanOptions(abilities, request, sources)
  if (isFailure(part)) return part
  const file = `out-0.${to}`
  const steps = [step(request, part, { sources, file })]
  return { kind: 'plan', steps, outputs: [{ file, format: to }], warnings: part.warnings }
}

function warningsOf(parts: readonly (PlanOptions | Failure)[]): readonly string[] {
  return [...new Set(parts.flatMap((part) => (isFailure(part) ? [] : part.warnings)))]
}

function step(request: PlanRequest, part: PlanOptions, io: { sources: readonly SourceFile[]; file: string }): CallStep {
  const call: JsonObject = {
    op: request.operation,
    inputs: io.sources.map(({ file, format }) => ({ file, format })),
    outputs: [{ file: io.file, format: request.to }],
    params: toParams(part),
    limits: pictureLimits,
  }
  return { kind: 'call', runner: 'vips', request: call, outputs: [io.file], limits: vipsStepLimits }
}

/** All options with a value, given or default: numbers, booleans, and words of an enum. Nothing else reaches the runner. */
function toParams({ descriptors, effective }: PlanOptions): JsonObject {
  const params: Record<string, JsonObject[string]> = {}
  for (const { name, data_type, default_value } of descriptors) {
    const value = effective[name] ?? parseDefault(data_type, default_value)
    if (name === 'pdf_page_size') Object.assign(params, pageParams(value))
    else if (isPlain(value)) params[name] = value
  }
  return params
}

function pageParams(value: unknown): JsonObject {
  const page = pagePoints(value)
  return page === undefined ? {} : { page }
}

function parseDefault(type: OptionDescriptor['data_type'], value: string): unknown {
  if (value === '') return undefined
  if (type === 'boolean') return value === 'true'
  return type === 'string' ? value : Number(value)
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
