import type { ProcessingOperation } from '@lathe/operations'
import type { Facts } from '../inspect/facts.ts'
import type { InputName } from './inputs.ts'

/** The expected result of a file that we made ourselves, where arithmetic predicts it from the input. */
export interface Expected extends Partial<Omit<Facts, 'format'>> {
  /** The number of output files; one by default. The other fields describe the first. */
  readonly files?: number
  /** Words that it contains, and words that it does not. */
  readonly says?: readonly string[]
  readonly lacks?: readonly string[]
  /** The pitch of its tone, and its loudness compared with the input's. */
  readonly pitchHz?: number
  readonly gain?: number
  /** The password that opens it. */
  readonly password?: string
}

/** One conversion with a known result. */
export interface Golden {
  readonly operation: ProcessingOperation
  readonly inputs: readonly InputName[]
  readonly to: string
  readonly options: Readonly<Record<string, unknown>>
  readonly expected: Expected
}

/** What was observed when the golden was recorded: facts beyond arithmetic, and its look. */
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

/** The name of a golden, here and in the record. */
export function nameOf({ operation, inputs, to, options }: Golden): string {
  const shown = Object.entries(options).map(([name, value]) => `${name}=${value}`)
  return [operation, inputs.join(' + '), '→', to, ...shown].join(' ')
}
