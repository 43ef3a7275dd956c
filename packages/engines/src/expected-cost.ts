import type { Lane } from '@lathe/domain'
import { findFormat } from '@lathe/formats'
import { type ProcessingOperation, usualOutput } from '@lathe/operations'
import type { CostRate, Engine } from './engine.ts'
import { familyOf } from './engine-family.ts'
import { findEngine } from './registry.ts'

const unknown: CostRate = { startS: 1, perMiBS: 1 }

/** What takes longer than this is long: quick tasks should not wait for it. */
const longS = 10

/** What is known of a task before its files are fetched. */
export interface CostQuestion {
  readonly operation: ProcessingOperation
  readonly sources: readonly { readonly format: string; readonly size: number }[]
  readonly to: string | undefined
  readonly options: Readonly<Record<string, unknown>>
}

/** Predicts the seconds of one core a task will take, from its engine and the size of its inputs. */
export function expectedSeconds({ operation, sources, to, options }: CostQuestion): number {
  const seconds = sources.map(({ format, size }) => {
    const target = to ?? usualOutput(operation, format) ?? format
    const { startS, perMiBS } = rateOf(findEngine(operation, format, target), format, target)
    return startS + (perMiBS * size) / 1024 ** 2
  })
  const sum = seconds.reduce((total, each) => total + each, 0)
  const [first] = sources
  const isRead = first && familyOf({ operation, from: first.format, to, options }) === 'ocr'
  // Text recognition reads every page as an image, a second or more each.
  return isRead ? sum * 10 : sum
}

/** Which queue a task belongs in by what it is expected to cost. */
export function expectedLane(question: CostQuestion): Exclude<Lane, 'alone'> {
  return expectedSeconds(question) > longS ? 'long' : 'quick'
}

function rateOf(engine: Engine | undefined, from: string, to: string): CostRate {
  const own = engine?.cost
  const family = findFormat(from)?.family
  return own?.to?.[findFormat(to)?.ext ?? ''] ?? (family && own?.from?.[family]) ?? own ?? unknown
}
