import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessStep } from '@lathe/engines'
import { failureOf, type RunEnd } from '@lathe/sandbox'
import type { PlanBench } from '@lathe/testing'

/** Files of a job folder by name. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** How a step ended, `done` or the reason for its failure, and the files it left. */
export interface StepEnd {
  readonly end: string
  readonly outputs: Readonly<Record<string, Buffer>>
}

/** Runs a single step of a plan in the sandbox with its own profile and limits. */
export async function runStep(bench: PlanBench, step: ProcessStep, files: Files): Promise<StepEnd> {
  await using folder = await bench.sandbox.createJobFolder()
  const written = (step.writes ?? []).map(({ file, text }) => [file, text] as const)
  for (const [name, content] of [...Object.entries(files), ...written]) {
    await using file = await folder.createFile(name)
    await file.writeFile(content)
  }
  const end = await bench.sandbox.run(step, { folder, signal: new AbortController().signal, onLine: () => {} })
  const outputs: Record<string, Buffer> = {}
  for (const name of step.outputs) {
    const bytes = await readFile(join(folder.path, name)).catch(() => undefined)
    if (bytes) outputs[name] = bytes
  }
  return { end: nameEnd(step, end), outputs }
}

function nameEnd(step: ProcessStep, end: RunEnd): string {
  const known = end.kind === 'exited' && end.code !== 0 ? step.readExit?.(end) : undefined
  if (known !== undefined) return 'code' in known ? String(known.code) : 'done'
  return failureOf(end)?.code ?? 'done'
}

/** The same step with another value for a limit that it writes into a JSON file. */
export function withLimit(step: ProcessStep, name: string, value: number): ProcessStep {
  const changed = (text: string) => {
    const asked = JSON.parse(text)
    if (!(name in asked.limits)) throw new Error(`the step is not told a limit of ${name}`)
    return JSON.stringify({ ...asked, limits: { ...asked.limits, [name]: value } })
  }
  const writes = (step.writes ?? []).map((one) =>
    one.file.endsWith('.json') ? { ...one, text: changed(one.text) } : one,
  )
  return { ...step, writes }
}

/** A limit that a step gets from a JSON file. */
export function limitOf(step: ProcessStep, name: string): number {
  const asked = step.writes?.find(({ file }) => file.endsWith('.json'))
  return JSON.parse(asked?.text ?? '{"limits":{}}').limits[name]
}
