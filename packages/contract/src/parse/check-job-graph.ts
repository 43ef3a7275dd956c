import { type FieldError, findCycle, longestChain } from '@lathe/domain'
import { asImport, findOperation, isProcessing, needsSeveral, rolesOf, takesTogether } from '@lathe/operations'
import { limits } from '../limits.ts'
import { checkAbility } from './check-ability.ts'
import type { ParsedInput, ParsedTask } from './parsed.ts'
import { join } from './path.ts'

type TasksByName = ReadonlyMap<string, ParsedTask>

/** Rules for the job as a whole: no cycles, enough files for each task, and chains that the engines can run. */
export function checkJobGraph(tasks: TasksByName): FieldError[] {
  const list = [...tasks.values()]
  return [
    ...checkCycle(list),
    ...list.flatMap((task) => checkFewFiles(task, tasks)),
    ...list.flatMap((task) => checkChain(task, tasks)),
    ...list.flatMap((task) => checkRoles(task, tasks)),
  ]
}

function checkCycle(tasks: readonly ParsedTask[]): FieldError[] {
  const nodes = tasks.map((task) => ({ name: task.name, inputs: siblingsOf(task) }))
  const cycle = findCycle(nodes)
  const [first] = cycle ?? []
  if (cycle === undefined || first === undefined) return checkDepth(longestChain(nodes))
  const msg = cycle.length === 2 ? 'names the task itself.' : `closes a circle: ${cycle.join(' waits for ')}.`
  return [{ path: join(join('tasks', first), 'input'), msg: `${msg} A task can only wait for tasks before it.` }]
}

function checkDepth(depth: number): FieldError[] {
  if (depth <= limits.tasksInRow) return []
  const msg = `hold ${depth} that wait for one another in a row; at most ${limits.tasksInRow} may. Make several jobs.`
  return [{ path: 'tasks', msg }]
}

/** Refuses only if the input is certainly a single file: other inputs may contain several. */
function checkFewFiles(task: ParsedTask, tasks: TasksByName): FieldError[] {
  const [only, ...others] = mainInputs(task)
  if (!needsSeveral(task.operation) || only?.kind !== 'sibling' || others.length > 0) return []
  const source = tasks.get(only.value)
  const importing = source && asImport(source.operation)
  if (!importing || importing.mayBringSeveral?.(source.parameters)) return []
  return [{ path: only.path, msg: `names one file, ${only.value}. A ${task.operation} needs at least two.` }]
}

/** Inside a chain the input format is known without being declared: it is what the previous task writes. */
function checkChain(task: ParsedTask, tasks: TasksByName): FieldError[] {
  const { operation } = task
  if (!isProcessing(operation) || task.parameters.input_format !== undefined) return []
  const formats = new Set(
    mainInputs(task).map((input) => writtenFormat(input.kind === 'sibling' && tasks.get(input.value))),
  )
  for (const format of formats) {
    if (format === undefined) continue
    // The options may be for other inputs than this one.
    const options = takesTogether(operation) ? {} : task.parameters.options
    const parameters = { ...task.parameters, input_format: format, options }
    const faults = checkAbility(operation, parameters, join('tasks', task.name))
    if (faults.length > 0) return faults
  }
  return []
}

/** A file with a role must have a format that the role accepts, as far as the previous task tells. */
function checkRoles({ operation, inputs }: ParsedTask, tasks: TasksByName): FieldError[] {
  return inputs.flatMap(({ kind, value, path, role = '' }) => {
    const taken = rolesOf(operation)[role]?.formats
    const written = writtenFormat(kind === 'sibling' && tasks.get(value))
    if (!taken || written === undefined || taken.includes(written)) return []
    const msg = `names ${value}, which writes ${written}. Possible: ${taken.join(', ')}.`
    return [{ path, code: 'unsupported' as const, msg }]
  })
}

function mainInputs({ inputs }: ParsedTask): readonly ParsedInput[] {
  return inputs.filter(({ role }) => role === undefined)
}

/** The format that a task of a job writes, if its definition names it. */
export function writtenFormat(source: ParsedTask | undefined | false): string | undefined {
  if (!source) return undefined
  if (!isProcessing(source.operation)) return asImport(source.operation)?.writes?.(source.parameters)
  const { output } = findOperation(source.operation)
  const { output_format: to } = source.parameters
  if (output === 'same' || output === 'contents') return undefined
  return typeof to === 'string' ? to : output === 'chosen' ? undefined : output.usual
}

function siblingsOf(task: ParsedTask): string[] {
  return task.inputs.filter((input) => input.kind === 'sibling').map((input) => input.value)
}
