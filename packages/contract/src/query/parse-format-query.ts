import { type DisabledFormat, explainDisabled, findDisabled, invalidField } from '@lathe/domain'
import { type Ability, findAbility, formatsFor } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import { findOperation, type ProcessingOperation, usualOutput } from '@lathe/operations'
import { Type } from 'typebox'
import { explainPair, normalizeFormat } from '../explain-pair.ts'
import type { FormatList, OptionSet } from '../schemas/query-views.ts'
import { defineQuery, type Parameter, type RawQuery } from './define-query.ts'
import { describePair, type PairRates } from './pair-rates.ts'

function extension(description: string, example = 'jpg'): Parameter<string> {
  return {
    schema: Type.String({ description, examples: [example] }),
    read(given, name) {
      if (given === '') throw invalidField(name, 'must not be empty. Give an extension such as jpg.')
      return normalizeFormat(given)
    },
  }
}

const inputMissing = { required: 'the extension of the input, such as jpg' }
const outputMissing = { required: 'the extension of the output, such as pdf' }
const anyOrAll = extension('An extension in any case, or `*` for all.')
const one = extension('An extension in any case.')

/** The query for the formats of an operation. */
export const formatsQuery = defineQuery({ input_format: anyOrAll, output_format: anyOrAll })

/** The query for a route. */
export const routeQuery = defineQuery({
  from: { ...extension('The extension of the input, in any case.', 'doc'), ...inputMissing },
  to: { ...extension('The extension of the output, in any case.', 'md'), ...outputMissing },
})

/** The query for the options of an operation: the output is required only if it can be chosen. */
export function optionsQueryOf(operation: ProcessingOperation) {
  const isChosen = findOperation(operation).output === 'chosen'
  return defineQuery({
    input_format: { ...one, ...inputMissing },
    output_format: isChosen ? { ...one, ...outputMissing } : one,
  })
}

/** The side of an operation's formats that is queried; neither means all its formats. */
export type FormatsQuery =
  | { readonly input: string; readonly output?: never }
  | { readonly output: string; readonly input?: never }
  | { readonly input?: never; readonly output?: never }

/** Reads the query for an operation's formats: extensions are normalized, `*` is kept. */
export function parseFormatsQuery(raw: RawQuery): FormatsQuery {
  const { input_format: input, output_format: output } = formatsQuery.read(raw)
  if (input !== undefined && output !== undefined) {
    throw invalidField('output_format', 'cannot be combined with input_format. Give only one of the two.', 'conflict')
  }
  if (input !== undefined) return { input }
  return output === undefined ? {} : { output }
}

/**
 * The formats of one operation, or of all, sorted: every accepted extension, each once, without disabled ones. If the
 * query names one format, every entry is a pair with it and includes the rate of that pair.
 */
export function toFormatList(
  rules: readonly DisabledFormat[],
  operation?: ProcessingOperation,
  query: FormatsQuery = {},
  rates: PairRates = new Map(),
): FormatList {
  const isOn = (ability: Ability) => !findDisabled(rules, ability)
  const named = findNamed(query)
  const found = formatsFor(operation, query, isOn).flatMap((ext) => {
    const aliases = findFormat(ext)?.aliases ?? []
    const pair = named && (query.input === undefined ? { from: ext, to: named } : { from: named, to: ext })
    const about = operation && pair && describePair(rates, operation, pair)
    return [{ ext, ...about }, ...aliases.map((alias) => ({ ext: alias, alias_of: ext, ...about }))]
  })
  return { formats: found.toSorted((a, b) => (a.ext < b.ext ? -1 : 1)) }
}

/** The single format that a query names; undefined for none, `*` and unknown formats. */
export function findNamed({ input, output }: FormatsQuery): string | undefined {
  return findFormat(input ?? output ?? '')?.ext
}

/** Reads the query for an operation's options and finds the pair it names. */
export function parseOptionsQuery(raw: RawQuery, operation: ProcessingOperation): Ability {
  const { input_format: input, output_format: output } = optionsQueryOf(operation).read(raw)
  // Without a default format, the output is required.
  const formats = { input, output: output ?? usualOutput(operation, input) ?? '' }
  return findPair(operation, formats, { input: 'input_format', output: 'output_format' })
}

/** Reads the query for a route and finds the conversion it names. */
export function parseRouteQuery(raw: RawQuery): Ability {
  const { from, to } = routeQuery.read(raw)
  return findPair('convert', { input: from, output: to }, routeFields)
}

/** The names of the two formats in the route query. */
export const routeFields: PairFields = { input: 'from', output: 'to' }

interface PairFields {
  readonly input: string
  readonly output: string
}

function findPair(operation: ProcessingOperation, { input, output }: PairFields, fields: PairFields): Ability {
  const ability = findAbility(operation, input, output)
  if (ability === undefined) {
    const { path, msg, code } = explainPair(operation, input, output)
    // The query names the input format, even for operations whose tasks take it from their inputs.
    throw invalidField(path === 'output_format' ? fields.output : fields.input, msg, code)
  }
  return ability
}

/** Refuses queries for a pair that administrators have disabled. */
export function refuseDisabledPair(
  rules: readonly DisabledFormat[],
  ability: Ability,
  fields: PairFields = { input: 'input_format', output: 'output_format' },
): Ability {
  const rule = findDisabled(rules, ability)
  if (rule) throw invalidField(rule.input === null ? fields.output : fields.input, explainDisabled(rule), 'unsupported')
  return ability
}

/** The options of a pair as the query returns them. */
export function toOptionSet({ operation, from, to, options }: Ability): OptionSet {
  return { sourceExt: from, targetExt: to, operation, options }
}
