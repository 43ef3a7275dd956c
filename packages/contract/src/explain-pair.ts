import type { FieldError, ProcessingOperation } from '@lathe/domain'
import { formatsFor } from '@lathe/engines'
import { findFormat } from '@lathe/formats'

/** Brings an extension to the one spelling the engines know; an unknown one stays, and nothing will match it. */
export function normalizeFormat(text: string): string {
  return findFormat(text)?.ext ?? text.toLowerCase()
}

/** Says why an operation cannot go between two formats, either of which may be unknown, and what is possible. */
export function explainPair(operation: ProcessingOperation, from?: string, to?: string): FieldError {
  const inputs = formatsFor(operation, { output: '*' })
  if (inputs.length === 0) return { path: 'operation', msg: `has no engine on this server: ${operation}.` }
  if (from !== undefined) {
    // In a query for formats `*` stands for all of them; here it would stand for none.
    const outputs = from === '*' ? [] : formatsFor(operation, { input: from })
    if (to === undefined || outputs.length === 0) {
      return { path: 'input_format', msg: `cannot be ${from} for ${operation}. Possible: ${inputs.join(', ')}.` }
    }
    return {
      path: 'output_format',
      msg: `cannot be ${to} for ${operation} from ${from}. Possible: ${outputs.join(', ')}.`,
    }
  }
  const outputs = formatsFor(operation, { input: '*' })
  return { path: 'output_format', msg: `cannot be ${to} for ${operation}. Possible: ${outputs.join(', ')}.` }
}
