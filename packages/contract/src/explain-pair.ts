import type { FieldError } from '@lathe/domain'
import { formatsFor } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import { type ProcessingOperation, takesTogether } from '@lathe/operations'

/** Brings an extension to the one spelling the engines know; an unknown one stays, and nothing will match it. */
export function normalizeFormat(text: string): string {
  return findFormat(text)?.ext ?? text.toLowerCase()
}

/** Says why an operation cannot go between two formats, either of which may be unknown, and what is possible. */
export function explainPair(operation: ProcessingOperation, from?: string, to?: string): FieldError {
  const inputs = formatsFor(operation, { output: '*' })
  if (inputs.length === 0) {
    return { path: 'operation', code: 'unsupported', msg: `has no engine on this server: ${operation}.` }
  }
  if (from === undefined) return wrongOutput(`${to} for ${operation}`, formatsFor(operation, { input: '*' }))
  // In a query for formats `*` stands for all of them; here it would stand for none.
  const outputs = from === '*' ? [] : formatsFor(operation, { input: from })
  if (to !== undefined && outputs.length > 0) return wrongOutput(`${to} for ${operation} from ${from}`, outputs)
  const possible = `Possible: ${inputs.join(', ')}.`
  // Such a request has no `input_format`: what its inputs are, the inputs tell.
  if (takesTogether(operation)) {
    return { path: 'input', code: 'unsupported', msg: `holds ${from}, which ${operation} does not take. ${possible}` }
  }
  return { path: 'input_format', code: 'unsupported', msg: `cannot be ${from} for ${operation}. ${possible}` }
}

function wrongOutput(what: string, possible: readonly string[]): FieldError {
  return { path: 'output_format', code: 'unsupported', msg: `cannot be ${what}. Possible: ${possible.join(', ')}.` }
}
