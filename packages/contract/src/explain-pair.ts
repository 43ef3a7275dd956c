import type { FieldError } from '@lathe/domain'
import { formatsFor } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import { type ProcessingOperation, takesTogether } from '@lathe/operations'

/** Normalizes an extension to the spelling the engines use; an unknown extension is kept and matches nothing. */
export function normalizeFormat(text: string): string {
  return findFormat(text)?.ext ?? text.toLowerCase()
}

/**
 * Explains why an operation cannot convert between two formats, either of which may be unknown, and what is possible.
 */
export function explainPair(operation: ProcessingOperation, from?: string, to?: string): FieldError {
  const inputs = allOf('output', operation)
  if (inputs.length === 0) {
    return { path: 'operation', code: 'unsupported', msg: `has no engine on this server: ${operation}.` }
  }
  if (from === undefined) return wrongOutput(`${to} for ${operation}`, allOf('input', operation))
  // In a query for formats `*` means all formats; here it would mean none.
  const outputs = from === '*' ? [] : formatsFor(operation, { input: from })
  if (to !== undefined && outputs.length > 0) return wrongOutput(`${to} for ${operation} from ${from}`, outputs)
  const possible = `Possible: ${inputs.join(', ')}.`
  // Such a request has no `input_format`: the formats come from its inputs.
  if (takesTogether(operation)) {
    return { path: 'input', code: 'unsupported', msg: `holds ${from}, which ${operation} does not take. ${possible}` }
  }
  return { path: 'input_format', code: 'unsupported', msg: `cannot be ${from} for ${operation}. ${possible}` }
}

const known = new Map<string, readonly string[]>()

/** Kept, because sorting the formats takes a millisecond and a job may have a hundred such faults. */
function allOf(given: 'input' | 'output', operation: ProcessingOperation): readonly string[] {
  const key = `${given} ${operation}`
  const found = known.get(key) ?? formatsFor(operation, { [given]: '*' })
  known.set(key, found)
  return found
}

function wrongOutput(what: string, possible: readonly string[]): FieldError {
  return { path: 'output_format', code: 'unsupported', msg: `cannot be ${what}. Possible: ${possible.join(', ')}.` }
}
