import type { ObjectId } from './object-id.ts'

/**
 * A rule of the administrators that disables a format as input, as output, or the conversion of one format to another.
 */
export interface DisabledFormat {
  readonly id: ObjectId
  /** Null for any. */
  readonly input: string | null
  readonly output: string | null
  /** Why the administrators disabled it. */
  readonly reason: string | null
}

/** The formats of a task, as far as they are known. */
export interface FormatPair {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Finds the rule that forbids a pair. A rule about a side that is not known yet does not apply. */
export function findDisabled<Rule extends Pick<DisabledFormat, 'input' | 'output'>>(
  rules: readonly Rule[],
  { from, to }: FormatPair,
): Rule | undefined {
  return rules.find(({ input, output }) => (input === null || input === from) && (output === null || output === to))
}

/** Explains what is disabled, by whom and why, and what to do. */
export function explainDisabled({ input, output, reason }: Omit<DisabledFormat, 'id'>): string {
  const what =
    input === null
      ? `${output} as an output format`
      : output === null
        ? `${input} as an input format`
        : `The conversion of ${input} to ${output}`
  const why = reason === null ? '' : ` Their reason: ${withoutStop(reason)}.`
  return `${what} was switched off by the administrators of this service.${why} Choose another format, or ask them to switch it on.`
}

/** Removes trailing whitespace and full stops. */
function withoutStop(text: string): string {
  const trimmed = text.trimEnd()
  return trimmed.endsWith('.') ? withoutStop(trimmed.slice(0, -1)) : trimmed
}
