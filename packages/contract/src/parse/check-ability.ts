import type { FieldError } from '@lathe/domain'
import { type Ability, advertisedFor, checkOptions, findAbility, formatsFor } from '@lathe/engines'
import { keepsFormat, type ProcessingOperation, takesTogether, usualOutput } from '@lathe/operations'
import { explainPair } from '../explain-pair.ts'
import { type Body, isBody } from './check-fields.ts'
import { join } from './path.ts'

/**
 * Refuses what no engine can do, as far as known now: with an unknown input format, only what fits no input at all.
 * Formats are already normalized.
 */
export function checkAbility(operation: ProcessingOperation, parameters: Body, path: string): FieldError[] {
  const from = textOf(parameters.input_format)
  const to = textOf(parameters.output_format)
  if (keepsFormat(operation) && from !== undefined && to !== undefined && from !== to) {
    return [
      {
        path: join(path, 'output_format'),
        code: 'conflict',
        msg: `must equal input_format (${from}): ${operation} keeps the format.`,
      },
    ]
  }
  const abilities = possibleAbilities(operation, from, to)
  if (abilities.length === 0) {
    const fault = explainPair(operation, from, to)
    return [{ ...fault, path: join(path, fault.path) }]
  }
  const options = isBody(parameters.options) ? parameters.options : {}
  return checkAgainstAny(abilities, options).map((fault) => ({
    ...fault,
    path: join(join(path, 'options'), fault.path),
  }))
}

function possibleAbilities(operation: ProcessingOperation, from?: string, to?: string): readonly Ability[] {
  // If the operation keeps the format, input and output are the same.
  const known = from ?? (keepsFormat(operation) ? to : undefined)
  if (known === undefined && to !== undefined) return advertisedFor(operation, to)
  const inputs = known === undefined ? formatsFor(operation, { output: '*' }) : [known]
  return inputs.flatMap((input) => findAbility(operation, input, to ?? usualOutput(operation, input) ?? input) ?? [])
}

/** No errors if one input fits; otherwise the errors of the best match. */
function checkAgainstAny(abilities: readonly Ability[], options: Body): FieldError[] {
  let fewest: FieldError[] | undefined
  for (const descriptors of optionSets(abilities)) {
    const faults = checkOptions(descriptors, options).errors
    if (faults.length === 0) return []
    if (fewest === undefined || faults.length < fewest.length) fewest = faults
  }
  return fewest ?? []
}

function optionSets(abilities: readonly Ability[]): Iterable<Ability['options']> {
  const sets = new Set(abilities.map((ability) => ability.options))
  if (!abilities[0] || !takesTogether(abilities[0].operation)) return sets
  // The inputs of such a task may have several formats: each option only has to be valid for one of them.
  const byName = new Map([...sets].flat().map((option) => [option.name, option]))
  return [[...byName.values()]]
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
