import { type FieldError, findCycle, kindOf, longestChain, type ProcessingOperation } from '@lathe/domain'
import { limits } from '../limits.ts'
import { checkAbility } from './check-ability.ts'
import type { ParsedTask } from './parsed.ts'
import { join } from './path.ts'

type TasksByName = ReadonlyMap<string, ParsedTask>

/** Rules that only a whole job can break: circles, merges of one file, chains no engine can follow. */
export function checkJobGraph(tasks: TasksByName): FieldError[] {
  const list = [...tasks.values()]
  return [
    ...checkInputs(list),
    ...checkCycle(list),
    ...list.flatMap((task) => checkMerge(task, tasks)),
    ...list.flatMap((task) => checkChain(task, tasks)),
  ]
}

function checkInputs(tasks: readonly ParsedTask[]): FieldError[] {
  const inputs = tasks.reduce((sum, task) => sum + task.inputs.length, 0)
  if (inputs <= limits.inputsPerJob) return []
  const msg = `name ${inputs} inputs together; at most ${limits.inputsPerJob} are allowed. Make several jobs.`
  return [{ path: 'tasks', msg }]
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

/** Refused only if a single file is certain: other inputs may turn out to hold several. */
function checkMerge(task: ParsedTask, tasks: TasksByName): FieldError[] {
  const [only, ...others] = task.inputs
  if (task.operation !== 'merge' || only?.kind !== 'sibling' || others.length > 0) return []
  const source = tasks.get(only.value)
  if (source === undefined || kindOf(source.operation) !== 'import') return []
  if (source.parameters.key_prefix !== undefined) return []
  return [{ path: only.path, msg: `names one file, ${only.value}. A merge needs at least two.` }]
}

/** Inside a chain the input format is known without being declared: it is what the task before writes. */
function checkChain(task: ParsedTask, tasks: TasksByName): FieldError[] {
  if (kindOf(task.operation) !== 'process' || task.parameters.input_format !== undefined) return []
  const formats = new Set(task.inputs.map((input) => writtenFormat(input.kind === 'sibling' && tasks.get(input.value))))
  for (const format of formats) {
    if (format === undefined) continue
    // One of a merge's inputs says nothing about the options the others bring.
    const options = task.operation === 'merge' ? {} : task.parameters.options
    const parameters = { ...task.parameters, input_format: format, options }
    const faults = checkAbility(task.operation as ProcessingOperation, parameters, join('tasks', task.name))
    if (faults.length > 0) return faults
  }
  return []
}

function writtenFormat(source: ParsedTask | undefined | false): string | undefined {
  if (!source || (source.operation !== 'convert' && source.operation !== 'merge')) return undefined
  return typeof source.parameters.output_format === 'string' ? source.parameters.output_format : undefined
}

function siblingsOf(task: ParsedTask): string[] {
  return task.inputs.filter((input) => input.kind === 'sibling').map((input) => input.value)
}
