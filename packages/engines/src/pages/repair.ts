import { type Failure, isFailure } from '@lathe/domain'
import type { Findings, JsonValue, Plan, ProcessStep, Step, StepExit } from '../engine.ts'
import { repairSeconds } from './limits.ts'
import { processStep } from './process-step.ts'

/** Writes a PDF with an intact structure from a damaged one, if possible. */
export type Repair = (file: string, out: string) => ProcessStep

/** The warning for a PDF that had to be repaired. */
export const damaged = 'The PDF is damaged and was repaired: check the result. The option strict refuses such files.'

// A repair that fails or times out leaves no PDF. The next probe notices that.
function attempt(program: string, args: readonly string[], out: string): ProcessStep {
  return processStep('timeout', [String(repairSeconds), program, ...args], { out, readExit: () => ({}), weight: 0.2 })
}

/** Ways to repair a PDF. The first keeps the most. */
export const repairs: readonly Repair[] = [
  // Rebuilds the table of objects from the objects it finds.
  (file, out) => attempt('mutool', ['clean', '-D', file, out], out),
  // Rebuilds the page tree from the pages it finds.
  (file, out) => attempt('qpdf', ['--warning-exit-0', '--empty', '--pages', file, '1-z', '--', out], out),
  // Redraws the pages that it can reach: forms, links and bookmarks are lost.
  (file, out) => attempt('pdftocairo', ['-pdf', file, out], out),
]

/** How many files a plan must leave for the output with a `*` in its name. */
export interface Expected {
  readonly files: number
}

/** The same plan, but if a program cannot read the PDF, it continues with `otherwise` instead of failing. */
export function tolerate(plan: Plan, { files }: Expected, otherwise: () => Plan | Failure): Plan {
  const place = plan.steps.findIndex(({ kind }) => kind === 'call')
  // A failed call would end the task, so the runner is called only if its input exists.
  if (place > 0) return tolerateBefore(plan, place, otherwise)
  return {
    ...plan,
    steps: plan.steps.map(tolerateDamage),
    warnings: [],
    next(found) {
      if (!isComplete(plan.steps, found) || !hasFiles(plan, files, found)) return otherwise()
      return withWarnings(plan.warnings, plan.next?.(found) ?? { ...plan, steps: [], warnings: [] })
    },
  }
}

function tolerateBefore(plan: Plan, place: number, otherwise: () => Plan | Failure): Plan {
  const [first, rest] = [plan.steps.slice(0, place), plan.steps.slice(place)]
  const { next } = plan
  return {
    ...plan,
    steps: first.map(tolerateDamage),
    warnings: [],
    next(before) {
      if (!isComplete(first, before) || !hasInputs(rest, before)) return otherwise()
      const { kind, outputs, warnings } = plan
      return { kind, outputs, warnings, steps: rest, ...(next && { next: (found) => next(joined(before, found)) }) }
    },
  }
}

function joined(before: Findings, { stdout, results, failed = [], sizes }: Findings): Findings {
  return {
    sizes,
    stdout: [...before.stdout, ...stdout],
    results: [...before.results, ...results],
    failed: [...(before.failed ?? []), ...failed],
  }
}

function withWarnings(warnings: readonly string[], plan: Plan | Failure): Plan | Failure {
  return isFailure(plan) ? plan : { ...plan, warnings: [...warnings, ...plan.warnings] }
}

function tolerateDamage(step: Step): Step {
  if (step.kind === 'call') return step
  const readExit = (exit: StepExit) => {
    const known = step.readExit?.(exit)
    return known === undefined || (isFailure(known) && known.code === 'input_damaged') ? {} : known
  }
  return { ...step, readExit }
}

function isComplete(steps: readonly Step[], { sizes }: Findings): boolean {
  const promised = steps.flatMap(({ outputs }) => outputs.filter((name) => !name.includes('*')))
  return promised.every((name) => (sizes[name] ?? 0) > 0)
}

// The input of a call was made before, unless another call makes it.
function hasInputs(steps: readonly Step[], { sizes }: Findings): boolean {
  const made = steps.flatMap(({ outputs }) => outputs)
  const read = steps.flatMap((step) => (step.kind === 'call' ? filesOf(step.request.inputs) : []))
  return read.every((name) => made.includes(name) || sizes[name] !== undefined)
}

function filesOf(inputs: JsonValue | undefined): readonly string[] {
  return (Array.isArray(inputs) ? inputs : []).map(({ file }) => String(file))
}

function hasFiles({ outputs }: Plan, files: number, { sizes }: Findings): boolean {
  return outputs.every(({ file }) => !file.includes('*') || countMatches(file, sizes) >= files)
}

function countMatches(pattern: string, sizes: Findings['sizes']): number {
  const [head = '', tail = ''] = pattern.split('*')
  return Object.keys(sizes).filter((name) => name.startsWith(head) && name.endsWith(tail)).length
}
