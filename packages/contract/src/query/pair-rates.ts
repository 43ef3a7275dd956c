import type { PairRate } from '@lathe/domain'
import { engines, findAbility } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import { isFormatOpen, type ProcessingOperation, processingOperations, usualOutput } from '@lathe/operations'
import type { FormatEntry } from '../schemas/query-views.ts'

/** How tasks ended, by operation and pair of formats. */
export type PairRates = ReadonlyMap<string, PairRate>

/** Rates of fewer tasks would reveal more about their users than about the pair. */
export const leastTasksOfRate = 20

const keyOf = (operation: string, from: string, to: string) => `${operation} ${from} ${to}`

// Keyed by the ability object: if several engines can do the same, the registry finds the ability of the first.
const engineIds = new Map(engines.flatMap(({ id, abilities }) => abilities.map((ability) => [ability, id] as const)))

/**
 * Indexes rates by the pairs that format queries list. A failed task is counted under the output format of its request,
 * or its input format if there was none; a completed task under the format of its first file. Both belong to the same
 * pair.
 */
export function indexPairRates(rows: readonly PairRate[]): PairRates {
  const rates = new Map<string, PairRate>()
  for (const row of rows) {
    const operation = processingOperations.find((name) => name === row.operation)
    if (operation === undefined) continue
    const from = findFormat(row.from)?.ext ?? row.from
    const to = outputOf(operation, from, findFormat(row.to)?.ext ?? row.to)
    const key = keyOf(operation, from, to)
    const other = rates.get(key)
    rates.set(key, other ? merge(other, { ...row, from, to }) : { ...row, from, to })
  }
  return rates
}

function outputOf(operation: ProcessingOperation, from: string, to: string): string {
  const isListed = !isFormatOpen(operation) && findAbility(operation, from, to) !== undefined
  return isListed ? to : (usualOutput(operation, from) ?? to)
}

/** Medians cannot be added, so the median of the larger group is used for both. */
function merge(a: PairRate, b: PairRate): PairRate {
  const [more, less] = a.completed >= b.completed ? [a, b] : [b, a]
  return {
    ...more,
    completed: a.completed + b.completed,
    failed: a.failed + b.failed,
    medianMs: more.medianMs ?? less.medianMs,
  }
}

/** The facts about a listed pair: its engine, and its rate if there were enough tasks. */
export function describePair(
  rates: PairRates,
  operation: ProcessingOperation,
  { from, to }: { readonly from: string; readonly to: string },
): Omit<FormatEntry, 'ext' | 'alias_of'> {
  const ability = findAbility(operation, from, to)
  const engine = ability && engineIds.get(ability)
  const rate = rates.get(keyOf(operation, from, to))
  return { ...(engine && { engine }), ...(rate && toRateView(rate)) }
}

function toRateView({ completed, failed, medianMs }: PairRate) {
  const ended = completed + failed
  if (ended < leastTasksOfRate) return undefined
  return {
    success_rate: Math.round((completed / ended) * 1000) / 1000,
    ...(medianMs !== null && { median_seconds: Math.round(medianMs / 10) / 100 }),
    tasks: roundDown(ended),
  }
}

/** Keeps two significant digits, so that a single task is hardly visible. */
function roundDown(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 2)
  return Math.floor(count / unit) * unit
}
