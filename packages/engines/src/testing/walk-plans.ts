import { type Failure, isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { findOperation, type ProcessingOperation, rolesOf } from '@lathe/operations'
import { type Ability, maxRounds, type Plan, type ProcessStep, type SourceFile } from '../engine.ts'
import { planTask } from '../registry.ts'
import { secret } from './option-values.ts'
import { findingsOf } from './probe-answers.ts'

/** All plans of one request, in the order in which they run, or the failure that ended them. */
export interface Walk {
  readonly plans: readonly Plan[]
  readonly failure?: Failure
}

const inputBytes = 1_000_000

/** Plans a pair with these options, and continues as if every step had succeeded on ordinary files. */
export function walkPlans({ operation, from, to }: Ability, options: GivenOptions): Walk {
  const count = findOperation(operation).inputs.least ?? 1
  const sourceOf = (format: string, n: number): SourceFile => {
    const filename = `secret name; $(id) ${n}.${format}`
    return { file: `in-${n}.${format}`, format, size: inputBytes, filename, folder: 'secret name; $(id)' }
  }
  const sources = Array.from({ length: count }, (_, n) => sourceOf(from === '*' ? 'bin' : from, n))
  const needed = Object.entries(rolesOf(operation)).filter(([, { isOptional }]) => !isOptional)
  // A file of the same format, if the role accepts it.
  const formatFor = (formats: readonly string[] = [from]) => (formats.includes(from) ? from : (formats[0] ?? from))
  const roles = Object.fromEntries(
    needed.map(([role, { formats }], n) => [role, sourceOf(formatFor(formats), count + n)] as const),
  )
  const plans: Plan[] = []
  let sizes = {}
  let current = planTask({ operation, sources, roles, to, options })
  // The result is always a little smaller than the target size, so that a loop ends as a real one would.
  const bytes = Math.floor(Number(options.target_size ?? 500_000) * 0.99)
  for (let round = 0; round < maxRounds; round += 1) {
    if (isFailure(current)) return { plans, failure: current }
    plans.push(current)
    if (!current.next) return { plans }
    const found = findingsOf(current, sources, bytes)
    sizes = { ...sizes, ...found.sizes }
    current = current.next({ ...found, sizes })
  }
  throw new Error(`${operation} ${from} to ${to} plans on and on with ${JSON.stringify(options)}`)
}

/** The processes of all plans. */
export function processesOf({ plans }: Walk): readonly ProcessStep[] {
  return plans.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'process' ? [step] : [])))
}

/** All steps of a walk, as readable lines that can be compared. */
export function renderWalk({ plans, failure }: Walk): readonly string[] {
  const lines = plans.flatMap(({ steps }) =>
    steps.map((step) => {
      const written = (step.writes ?? []).map(({ file, text }) => `<${file}:${text}>`)
      if (step.kind === 'call') return [step.runner, JSON.stringify(step.request), ...written].join(' ')
      return [step.program, ...step.args, ...written, meets(step)].join(' ')
    }),
  )
  return failure ? [...lines, `failure ${failure.code}`] : lines
}

// How a step handles a program that cannot read its input. Some options change only that.
function meets({ readExit }: ProcessStep): string {
  const known = readExit?.({ code: 1, stderr: '' })
  return isFailure(known) ? `exit 1: ${known.code}` : `exit 1: ${JSON.stringify(known)}`
}

const required: Partial<Record<ProcessingOperation, GivenOptions>> = {
  crop: { x: 0, y: 0, width: 100, height: 100 },
  trim: { pages: '1-2', start: 1, end: 2 },
  reorder: { order: '2,1' },
  watermark: { text: secret },
  encrypt: { output_password: `another ${secret}` },
  metadata: { title: 'Title' },
}

/** The options that an operation requires. */
export function requiredOf({ operation, options }: Ability): GivenOptions {
  const has = (name: string) => options.some((option) => option.name === name)
  const known = Object.entries(required[operation] ?? {}).filter(([name]) => has(name))
  return Object.fromEntries(known)
}
