import type { JsonObject, ProcessStep } from '../engine.ts'
import { pandocStepLimits } from './limits.ts'
import { readRefusal } from './refusals.ts'

export interface ScriptStep {
  /** The scripts, by file name; the first is run, the others are what it imports. */
  readonly scripts: Readonly<Record<string, string>>
  readonly outputs: readonly string[]
  readonly args?: readonly string[]
  /** What it is asked, as a file: its name and content. */
  readonly ask?: readonly [string, JsonObject]
}

/** Runs a Python script of ours on a file of the job folder. What it prints is one line of JSON, for `reportOf`. */
export function scriptStep({ scripts, outputs, args = [], ask }: ScriptStep): ProcessStep {
  const [main = ''] = Object.keys(scripts)
  const texts = Object.entries(scripts).map(([file, text]) => ({ file, text }))
  return {
    kind: 'process',
    profile: 'markup',
    program: 'python3',
    // No variables, no folder of a user's, no bytecode left behind.
    args: ['-E', '-s', '-B', main, ...args],
    writes: [...texts, ...(ask ? [{ file: ask[0], text: JSON.stringify(ask[1]) }] : [])],
    outputs,
    limits: pandocStepLimits,
    capture: true,
    readExit: readRefusal,
  }
}

/** What scripts printed, taken together; nothing where they printed none. */
export function reportOf(stdout: readonly string[]): Readonly<Record<string, unknown>> {
  const lines = stdout.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'))
  return Object.assign({}, ...lines.map((line) => JSON.parse(line)))
}
