import { type Failure, failure } from '@lathe/domain'
import { describeFormat, explainUnsupported, findFormat, formats, nameFormat, splitName } from '@lathe/formats'
import type { ProcessingOperation } from '@lathe/operations'
import { type Ability, anyFormat, type Engine, type Plan, type PlanRequest, type SourceFile } from './engine.ts'
import { engines } from './engines.ts'
import type { Tool } from './tool.ts'

/** The tools that run the steps of all plans. */
export const tools: readonly Tool[] = engines.flatMap((engine) => engine.tools)

const toolsByName = new Map(tools.map((tool) => [tool.name, tool]))

export function findTool(name: string): Tool | undefined {
  return toolsByName.get(name)
}

const keyOf = (operation: string, from: string, to: string) => `${operation} ${from} ${to}`

const keysOf = new Map(
  engines.map((engine) => [
    engine,
    new Set(engine.abilities.map(({ operation, from, to }) => keyOf(operation, from, to))),
  ]),
)

// The first engine with an ability keeps it.
const byKey = new Map<string, { engine: Engine; ability: Ability }>()
for (const engine of engines) {
  for (const ability of engine.abilities) {
    const key = keyOf(ability.operation, ability.from, ability.to)
    if (!byKey.has(key)) byKey.set(key, { engine, ability })
  }
}

/** All abilities, each combination of operation and formats once. */
export const advertised: readonly Ability[] = [...byKey.values()].map(({ ability }) => ability)

const byOperation = Map.groupBy(advertised, ({ operation }) => operation)
const byTarget = Map.groupBy(advertised, ({ operation, to }) => `${operation} ${to}`)

/** All abilities of an operation, or only those with this output format. */
export function advertisedFor(operation: ProcessingOperation, to?: string): readonly Ability[] {
  if (to === undefined) return byOperation.get(operation) ?? []
  return byTarget.get(`${operation} ${findFormat(to)?.ext ?? ''}`) ?? []
}

/** Finds an ability by its operation and any name of its formats. */
export function findAbility(operation: ProcessingOperation, from: string, to: string): Ability | undefined {
  return find(operation, from, to)?.ability
}

/** The engine for an operation on a pair of formats, by any name of the formats. */
export function findEngine(operation: ProcessingOperation, from: string, to: string): Engine | undefined {
  return find(operation, from, to)?.engine
}

function find(operation: ProcessingOperation, from: string, to: string) {
  const target = findFormat(to)?.ext ?? ''
  return (
    byKey.get(keyOf(operation, findFormat(from)?.ext ?? '', target)) ?? byKey.get(keyOf(operation, anyFormat, target))
  )
}

/**
 * The formats of an operation, or of all operations: the outputs for an input, or the inputs for an output. `*` means
 * any format on that side. Without a side, all input and output formats. Only abilities that `isOn` accepts count.
 */
export function formatsFor(
  operation?: ProcessingOperation,
  side: { input?: string; output?: string } = {},
  isOn: (ability: Ability) => boolean = () => true,
): readonly string[] {
  const possible = (operation === undefined ? advertised : advertisedFor(operation)).filter(isOn)
  const { input, output } = side
  if (input !== undefined) return sorted(possible.filter(({ from }) => isNamed(from, input)).map(({ to }) => to))
  if (output !== undefined) {
    return sorted(possible.filter(({ to }) => isNamed(to, output)).flatMap(({ from }) => formatsOf(from)))
  }
  return sorted(possible.flatMap(({ from, to }) => [...formatsOf(from), to]))
}

function isNamed(ext: string, given: string): boolean {
  return given === '*' || ext === anyFormat || findFormat(given)?.ext === ext
}

/** The formats that an ability accepts. */
export function formatsOf(from: string): readonly string[] {
  return from === anyFormat ? formats.map(({ ext }) => ext) : [from]
}

function sorted(extensions: readonly string[]): readonly string[] {
  return [...new Set(extensions)].sort()
}

/** Plans a task with the first engine that accepts all its sources. */
export function planTask(request: PlanRequest): Plan | Failure {
  const { operation, sources } = request
  if (sources.length === 0) return failure('no_files')
  const to = findFormat(request.to)?.ext ?? request.to
  const canTake = (engine: Engine | undefined, { format }: SourceFile) =>
    engine !== undefined &&
    [findFormat(format)?.ext ?? '', anyFormat].some((from) => keysOf.get(engine)?.has(keyOf(operation, from, to)))
  const engine = engines.find((one) => sources.every((source) => canTake(one, source)))
  if (engine !== undefined) return engine.plan({ ...request, to })
  const [first] = sources
  const usual = first && find(operation, first.format, to)?.engine
  return cannot(operation, sources.find((source) => !canTake(usual, source)) ?? first, to)
}

// A longer list does not help in a sentence; the format queries list all.
const maxNamed = 12

// The message only repeats known format names, never the user's spelling.
function cannot(operation: ProcessingOperation, source: SourceFile | undefined, to: string): Failure {
  const from = findFormat(source?.format ?? '')?.ext
  const outputs = from === undefined ? [] : formatsFor(operation, { input: from })
  const reported = { ext: from ?? '', named: splitName(source?.filename ?? '').ext }
  if (from === undefined || outputs.length === 0) {
    return failure('unsupported', { text: explainUnsupported(reported, operation) })
  }
  const target = describeFormat(to) ?? 'that format'
  const more = outputs.length > maxNamed ? ' and others' : ''
  const possible = `Possible from ${from}: ${outputs.slice(0, maxNamed).join(', ')}${more}.`
  return failure('unsupported', {
    text: `${nameFormat(reported)}, which Lathe cannot ${operation} to ${target}. ${possible}`,
  })
}
