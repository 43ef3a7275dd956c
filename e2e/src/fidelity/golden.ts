import type { ProcessingOperation } from '@lathe/operations'
import type { Facts } from '../inspect/facts.ts'
import type { InputName } from './inputs.ts'

/** What must come of a file that we made ourselves, as far as it follows from the input by arithmetic. */
export interface Expected extends Partial<Omit<Facts, 'format'>> {
  /** How many files come out; one if not said. The rest is about the first. */
  readonly files?: number
  /** Words that are found in it, and words that are not. */
  readonly says?: readonly string[]
  readonly lacks?: readonly string[]
  /** The pitch of its tone, and how loud it is beside the input's. */
  readonly pitchHz?: number
  readonly gain?: number
  /** What opens it. */
  readonly password?: string
}

/** One conversion whose result is known. */
export interface Golden {
  readonly operation: ProcessingOperation
  readonly inputs: readonly InputName[]
  readonly to: string
  readonly options: Readonly<Record<string, unknown>>
  readonly expected: Expected
}

/** What was seen when the golden was recorded: facts beyond arithmetic, and how it looked. */
export interface Recorded extends Facts {
  readonly fingerprint?: string
}

export function convert(
  input: InputName,
  to: string,
  expected: Expected,
  options: Readonly<Record<string, unknown>> = {},
): Golden {
  return { operation: 'convert', inputs: [input], to, options, expected }
}

/** An operation that keeps the format. */
export function change(
  operation: 'compress' | 'crop' | 'trim',
  input: InputName,
  expected: Expected,
  options: Readonly<Record<string, unknown>> = {},
): Golden {
  return { operation, inputs: [input], to: input.slice(input.lastIndexOf('.') + 1), options, expected }
}

export function merge(
  inputs: readonly InputName[],
  to: string,
  expected: Expected,
  options: Readonly<Record<string, unknown>> = {},
): Golden {
  return { operation: 'merge', inputs, to, options, expected }
}

/** What a golden is called, here and in the record. */
export function nameOf({ operation, inputs, to, options }: Golden): string {
  const shown = Object.entries(options).map(([name, value]) => `${name}=${value}`)
  return [operation, inputs.join(' + '), '→', to, ...shown].join(' ')
}
