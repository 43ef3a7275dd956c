import type { PairRate } from '@lathe/domain'
import { engines, findAbility } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import { isFormatOpen, type ProcessingOperation, processingOperations, usualOutput } from '@lathe/operations'
import type { FormatEntry } from '../schemas/query-views.ts'

/** How tasks of pairs have ended, by operation and formats. */
export type PairRates = ReadonlyMap<string, PairRate>

/** Fewer tasks tell more about who ran them than about the pair. */
export const leastTasksOfRate = 20

const keyOf = (operation: string, from: string, to: string) => `${operation} ${from} ${to}`

// By the ability itself: of engines that can do the same, the registry finds that of the first.
const engineIds = new Map(engines.flatMap(({ id, abilities }) => abilities.map((ability) => [ability, id] as const)))

/**
 * Rates under the pairs that format queries list. A task that failed is counted under the output its caller wrote, or its
 * input's format where none was written, and one that completed under the format of its first file: those are one pair.
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

/** Medians cannot be added: that of more tasks stands for both. */
function merge(a: PairRate, b: PairRate): PairRate {
  const [more, less] = a.completed >= b.completed ? [a, b] : [b, a]
  return {
    ...more,
    completed: a.completed + b.completed,
    failed: a.failed + b.failed,
    medianMs: more.medianMs ?? less.medianMs,
  }
}

/** What a listed format says about its pair: who does it, and how that went if there were enough tasks. */
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

/** Keeps two significant digits: a task more or less can hardly be seen. */
function roundDown(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 2)
  return Math.floor(count / unit) * unit
}
