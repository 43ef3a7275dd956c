import type { Lane } from '@lathe/domain'
import { findFormat } from '@lathe/formats'
import { type GivenOptions, type ProcessingOperation, usualOutput } from '@lathe/operations'
import type { CostRate, Engine } from './engine.ts'
import { familyOf } from './engine-family.ts'
import { findEngine } from './registry.ts'

const unknown: CostRate = { startS: 1, perMiBS: 1 }

/** Tasks that take longer than this go to the long queue, so that quick tasks do not wait for them. */
const longS = 10

/** What is known about a task before its files are fetched. */
export interface CostQuestion {
  readonly operation: ProcessingOperation
  readonly sources: readonly { readonly format: string; readonly size: number }[]
  readonly to: string | undefined
  readonly options: GivenOptions
}

/** Predicts the CPU seconds of a task from its engine and the size of its inputs. */
export function expectedSeconds({ operation, sources, to, options }: CostQuestion): number {
  const seconds = sources.map(({ format, size }) => {
    const target = to ?? usualOutput(operation, format) ?? format
    const { startS, perMiBS } = rateOf(findEngine(operation, format, target), format, target)
    return startS + (perMiBS * size) / 1024 ** 2
  })
  const sum = seconds.reduce((total, each) => total + each, 0)
  const [first] = sources
  const isRead = first && familyOf({ operation, from: first.format, to, options }) === 'ocr'
  // Text recognition processes every page as an image and takes a second or more per page.
  return isRead ? sum * 10 : sum
}

/** The queue for a task, by its expected cost. */
export function expectedLane(question: CostQuestion): Exclude<Lane, 'alone'> {
  return expectedSeconds(question) > longS ? 'long' : 'quick'
}

function rateOf(engine: Engine | undefined, from: string, to: string): CostRate {
  const own = engine?.cost
  const family = findFormat(from)?.family
  return own?.to?.[findFormat(to)?.ext ?? ''] ?? (family && own?.from?.[family]) ?? own ?? unknown
}
