import type { Lane } from '@lathe/domain'
import { type Family, findFormat } from '@lathe/formats'
import { type ProcessingOperation, usualOutput } from '@lathe/operations'
import type { Engine } from './engine.ts'
import { familyOf } from './engine-family.ts'
import { findEngine } from './registry.ts'

/** What a kind of work takes on one idle core: to begin, and for each MiB of input. */
interface Rate {
  readonly startS: number
  readonly perMiBS: number
}

/** Rates by engine, and by what the engine reads or writes where that makes the difference. */
interface Rates extends Rate {
  /** By family of the input. */
  readonly from?: Partial<Record<Family, Rate>>
  /** By output format. */
  readonly to?: Readonly<Record<string, Rate>>
}

// Estimates, in seconds of one core, and rather too high: a task that is longer than expected holds up quick ones, and one
// that is shorter only waits a little.
const rates: Readonly<Record<string, Rates>> = {
  vips: { startS: 0.1, perMiBS: 0.25, to: { avif: { startS: 0.5, perMiBS: 3 } } },
  pdf: { startS: 0.3, perMiBS: 0.6, to: { docx: { startS: 2, perMiBS: 3 }, xlsx: { startS: 2, perMiBS: 3 } } },
  magick: { startS: 0.5, perMiBS: 1, to: { avif: { startS: 1, perMiBS: 4 } } },
  office: { startS: 1, perMiBS: 2 },
  browser: { startS: 1.5, perMiBS: 1 },
  pandoc: { startS: 1, perMiBS: 3 },
  mail: { startS: 1.5, perMiBS: 0.5 },
  ffmpeg: { startS: 0.5, perMiBS: 1, from: { video: { startS: 1, perMiBS: 2.5 } } },
  package: { startS: 0.3, perMiBS: 0.2 },
}
const unknown: Rate = { startS: 1, perMiBS: 1 }

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

function rateOf(engine: Engine | undefined, from: string, to: string): Rate {
  const own = engine && rates[engine.id]
  const family = findFormat(from)?.family
  return own?.to?.[findFormat(to)?.ext ?? ''] ?? (family && own?.from?.[family]) ?? own ?? unknown
}
