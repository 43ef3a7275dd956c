import { isFailure } from '@lathe/domain'
import type { Findings, Plan, PlanRequest, SourceFile, Step } from '../engine.ts'
import { pdf } from '../pdf/pdf.ts'

/** A source file with one of our names and a hostile original name. */
export function source(format = 'pdf', n = 0): SourceFile {
  return { file: `in-${n}.${format}`, format, size: 1000, filename: `../My;rm -rf ${n}.${format}` }
}

/** The output of pdfinfo for this many A4 pages. */
export const a4 = (count: number) => {
  const pages = Array.from(
    { length: count },
    (_, n) => `Page ${n + 1} size: 595.28 x 841.89 pts (A4)\nPage ${n + 1} rot: 0`,
  )
  return `Title: x\nPages:           ${count}\nEncrypted:       no\n${pages.join('\n')}\n`
}

/** The findings of a plan's steps with this output of pdfinfo. */
function findings(plan: Plan, info: string): Findings {
  const isProbe = (step: Step) => step.kind === 'process' && [step.program, ...step.args].includes('pdfinfo')
  return {
    stdout: plan.steps.map((step) => (isProbe(step) ? info : '')),
    results: plan.steps.map(() => ({})),
    sizes: {},
  }
}

/** A request with defaults for what a test does not care about. */
export const requested = (request: Partial<PlanRequest>): PlanRequest => ({
  operation: 'convert',
  sources: [source()],
  to: 'png',
  options: {},
  ...request,
})

/** The plan after the first probe, with this output of pdfinfo. */
export function second(request: Partial<PlanRequest>, info = a4(3)) {
  const plan = pdf.plan(requested(request))
  if (isFailure(plan)) return plan
  return plan.next?.(findings(plan, info)) ?? plan
}

/** The plan that follows a plan whose steps wrote every promised file. */
export function last(plan: ReturnType<typeof second>, info = a4(3)) {
  if (isFailure(plan)) return plan
  const made = [...plan.steps, ...plan.outputs.map(({ file }) => ({ outputs: [file] }))].flatMap(
    ({ outputs }) => outputs,
  )
  const names = made.flatMap((name) => [1, 2, 3].map((n) => name.replace('*', String(n))))
  const sizes = Object.fromEntries(names.map((name) => [name, 1000]))
  return plan.next?.({ ...findings(plan, info), sizes }) ?? plan
}

/** The command lines of a plan. */
export function commands(plan: ReturnType<typeof second>): string[] {
  if (isFailure(plan)) throw new Error(`${plan.code} ${plan.text}`)
  return plan.steps.map((step) => (step.kind === 'process' ? [step.program, ...step.args].join(' ') : step.runner))
}

/** The files that are written for the steps of a plan. */
export const written = (plan: ReturnType<typeof second>) =>
  isFailure(plan)
    ? {}
    : Object.fromEntries(plan.steps.flatMap(({ writes = [] }) => writes.map(({ file, text }) => [file, text])))
