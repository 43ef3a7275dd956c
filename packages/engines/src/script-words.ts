import { type Failure, failure } from '@lathe/domain'
import type { StepExit } from './engine.ts'
import { readJsonLines, wordIn } from './json-lines.ts'

/**
 * Why Lathe's own scripts refuse files, by the code word they end with. Without a text, the failure code is clear
 * enough.
 */
export type Refusals = Readonly<Record<string, readonly [code: Failure['code'], text?: string]>>

/** The warnings of Lathe's own scripts, by code word; `n` is how often it happened. */
export type Warnings = Readonly<Record<string, (n: number) => string>>

/**
 * Reads how one of Lathe's scripts ended. Exit code 3 and a word mean that it refused the file. The line and column of
 * an error may follow the word. Any other end is a bug in Lathe. A word that is not listed comes from a script under an
 * attacker's control.
 */
export function refusalReader(refusals: Refusals): (exit: StepExit) => Failure | undefined {
  return ({ code, stderr }) => {
    const [, word = '', line, column] = /^refused: ([a-z]+)(?: (\d{1,12}) (\d{1,12}))?$/m.exec(stderr) ?? []
    const known = code === 3 && Object.hasOwn(refusals, word) ? refusals[word] : undefined
    if (known === undefined) return undefined
    const [reason, text] = known
    const detail = stderr.slice(-512)
    if (text === undefined) return failure(reason, { detail })
    return failure(reason, { text: line ? `${text.slice(0, -1)} at line ${line}, column ${column}.` : text, detail })
  }
}

/** The warning for a word; none if the word is unknown. */
export function warningOf(warnings: Warnings, word: string, times: number): readonly string[] {
  return Object.hasOwn(warnings, word) ? [warnings[word]?.(times) ?? ''] : []
}

/** Reads the output of one of Lathe's scripts: one line per warning. */
export function readWarnings(warnings: Warnings, stdout: readonly string[]): readonly string[] {
  return readJsonLines(stdout).flatMap(({ warning, times }) =>
    warningOf(warnings, wordIn(warning), typeof times === 'number' ? times : 1),
  )
}
