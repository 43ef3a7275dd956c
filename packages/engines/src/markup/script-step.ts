import type { JsonObject, ProcessStep } from '../engine.ts'
import { readJsonLines } from '../json-lines.ts'
import { pandocStepLimits } from './limits.ts'
import { readRefusal } from './refusals.ts'

export interface ScriptStep {
  /** The modules by name. `main` of the first is called; it imports the others. */
  readonly modules: Readonly<Record<string, string>>
  readonly outputs: readonly string[]
  readonly args?: readonly string[]
  /** The request to the script as a file: its name and content. */
  readonly ask?: readonly [string, JsonObject]
}

/** Runs Lathe's Python modules on a file of the job folder. They print one line of JSON, for `reportOf`. */
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

/** The merged reports of scripts; empty if they printed none. */
export function reportOf(stdout: readonly string[]): Readonly<Record<string, unknown>> {
  const report: Record<string, unknown> = {}
  // A loop, because a script under an attacker's control may print more lines than a call can take as arguments.
  for (const line of readJsonLines(stdout)) Object.assign(report, line)
  return report
}
