import { type Failure, failure, isFailure } from '@lathe/domain'
import { type CheckedOptions, checkOptions } from '../check-options.ts'
import type { CallStep, Engine, JsonObject, Plan, PlanRequest, SourceFile } from '../engine.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
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
    const parts = sources.map((source) => checked(request, [source]))
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
  const part = checked(request, sources)
  if (isFailure(part)) return part
  const file = `out-0.${to}`
  const steps = [step(request, part, { sources, file })]
  return { kind: 'plan', steps, outputs: [{ file, format: to }], warnings: part.warnings }
}

interface Checked extends CheckedOptions {
  readonly descriptors: readonly OptionDescriptor[]
}

/** Options as the abilities of these sources see them; a merge takes what any of its sources knows. */
function checked({ operation, to, options }: PlanRequest, sources: readonly SourceFile[]): Checked | Failure {
  const found = sources.map(({ format }) =>
    abilities.find((ability) => ability.operation === operation && ability.from === format && ability.to === to),
  )
  if (found.includes(undefined)) return failure('unsupported')
  const byName = new Map(found.flatMap((ability) => ability?.options ?? []).map((option) => [option.name, option]))
  const descriptors = [...byName.values()]
  const result = checkOptions(descriptors, options)
  if (result.errors.length === 0) return { ...result, descriptors }
  // An unknown name is a stranger's string: it is shown to its owner, cut short.
  const text = result.errors.map(({ path, msg }) => `Option ${path.slice(0, 64)}: ${msg}`).join(' ')
  return failure('unsupported', { text })
}

function warningsOf(parts: readonly (Checked | Failure)[]): readonly string[] {
  return [...new Set(parts.flatMap((part) => (isFailure(part) ? [] : part.warnings)))]
}

function step(request: PlanRequest, part: Checked, io: { sources: readonly SourceFile[]; file: string }): CallStep {
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
function toParams({ descriptors, effective }: Checked): JsonObject {
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
