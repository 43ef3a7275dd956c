import { type Failure, failure } from '@lathe/domain'
import type { StepExit } from './engine.ts'
import { readJsonLines, wordIn } from './json-lines.ts'

/** Why a script of ours refuses files, by the word it ends with. Without a text the code says enough. */
export type Refusals = Readonly<Record<string, readonly [code: Failure['code'], text?: string]>>

/** What a script of ours warns of, by its word; `n` is how often it happened. */
export type Warnings = Readonly<Record<string, (n: number) => string>>

/**
 * Reads how a script of ours ended: 3 and a word mean that it refused the file; behind the word may be the line and
 * column of an error. Any other end is our fault. A word that is not listed comes from a script in an attacker's hands.
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

/** The warning of a word; nothing where the word is none of ours. */
export function warningOf(warnings: Warnings, word: string, times: number): readonly string[] {
  return Object.hasOwn(warnings, word) ? [warnings[word]?.(times) ?? ''] : []
}

/** Reads what a script of ours printed: one line for each warning. */
export function readWarnings(warnings: Warnings, stdout: readonly string[]): readonly string[] {
  return readJsonLines(stdout).flatMap(({ warning, times }) =>
    warningOf(warnings, wordIn(warning), typeof times === 'number' ? times : 1),
  )
}
