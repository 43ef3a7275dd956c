import type { JsonObject, ProcessStep } from '../engine.ts'
import { readJsonLines } from '../json-lines.ts'
import { pandocStepLimits } from './limits.ts'
import { readRefusal } from './refusals.ts'

export interface ScriptStep {
  /** The modules, by name; the `main` of the first is called, the others are what it imports. */
  readonly modules: Readonly<Record<string, string>>
  readonly outputs: readonly string[]
  readonly args?: readonly string[]
  /** What it is asked, as a file: its name and content. */
  readonly ask?: readonly [string, JsonObject]
}

/** Runs Python modules of ours on a file of the job folder. What it prints is one line of JSON, for `reportOf`. */
export function scriptStep({ modules, outputs, args = [], ask }: ScriptStep): ProcessStep {
  const [main = ''] = Object.keys(modules)
  return {
    kind: 'process',
    profile: 'markup',
    program: 'python3',
    args: [`${main}.py`, ...args],
    modules,
    writes: ask ? [{ file: ask[0], text: JSON.stringify(ask[1]) }] : [],
    outputs,
    limits: pandocStepLimits,
    capture: true,
    readExit: readRefusal,
  }
}

/** What scripts printed, taken together; nothing where they printed none. */
export function reportOf(stdout: readonly string[]): Readonly<Record<string, unknown>> {
  const report: Record<string, unknown> = {}
  // A script in an attacker's hands prints more lines than a call takes arguments.
  for (const line of readJsonLines(stdout)) Object.assign(report, line)
  return report
}
