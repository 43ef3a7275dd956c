import type { Facts } from '../inspect/facts.ts'
import { distance } from '../inspect/fingerprint.ts'
import type { Judged, Outcome } from './outcome.ts'

/** The service's result compared with the plain tool's. */
export type Verdict = 'same' | 'better' | 'worse' | 'neither' | 'no bare tool' | 'not offered'

export interface Comparison {
  readonly verdict: Verdict
  /** What our result lacks. */
  readonly why?: string
  /** Share of the plain tool's words that are in our result. */
  readonly words?: number
}

/** The minimum share of the plain tool's words in our result. */
const enoughWords = 0.95
/** The maximum of differing bits of 128 for the same look: encoders and scalers round differently. */
const sameLook = 36

/** Compares our result with the plain tool's: fewer pages, words, streams, pixels or seconds are worse. */
export function compare(ours: Judged, bare: Judged | undefined): Comparison {
  const isConverted = ours.outcome.end === 'converted'
  if (bare === undefined) return { verdict: isConverted ? 'no bare tool' : 'neither' }
  const isBareConverted = bare.outcome.end === 'converted'
  if (!isBareConverted) return { verdict: isConverted ? 'better' : 'neither' }
  if (!isConverted) return { verdict: 'worse', why: `${ours.outcome.end}: ${ours.outcome.text ?? ''}` }
  const share = sharedWords(ours.words, bare.words)
  const words = share === undefined ? {} : { words: Math.round(share * 10_000) / 10_000 }
  const why = missing(ours.outcome, bare.outcome) ?? missingWords(share)
  return why === undefined ? { verdict: 'same', ...words } : { verdict: 'worse', why, ...words }
}

type Check = (ours: Facts, theirs: Facts) => string | undefined

/** What a result may lack, each with a text for people. */
const checks: readonly Check[] = [
  (ours, theirs) => {
    const [pages, wanted] = [ours.pages ?? 1, theirs.pages ?? 1]
    // A larger page holds more of a flowing text.
    const isLarger = ours.format === 'pdf' && areaOf(ours) > areaOf(theirs) * 1.1
    return pages < wanted && !isLarger ? `${pages} pages instead of ${wanted}` : undefined
  },
  (ours, theirs) => (theirs.videoCodec && !ours.videoCodec ? 'no video stream' : undefined),
  (ours, theirs) => (theirs.audioCodec && !ours.audioCodec ? 'no audio stream' : undefined),
  (ours, theirs) => {
    const isSmaller = theirs.format !== 'pdf' && areaOf(ours) < areaOf(theirs) * 0.97
    const [mine, other] = [ours, theirs].map(({ width, height }) => `${width} x ${height}`)
    return isSmaller ? `${mine} pixels instead of ${other}` : undefined
  },
  ({ durationMs = 0 }, { durationMs: theirs = 0 }) => {
    const isShorter = theirs - durationMs > Math.max(250, theirs * 0.02)
    return isShorter ? `${durationMs} ms instead of ${theirs} ms` : undefined
  },
]

function areaOf({ width = 0, height = 0 }: Facts): number {
  return width * height
}

function missing(ours: Outcome, theirs: Outcome): string | undefined {
  if (!ours.facts || !theirs.facts) return undefined
  for (const check of checks) {
    const why = check(ours.facts, theirs.facts)
    if (why !== undefined) return why
  }
  // Flowing text looks different on a page of another size.
  const isOtherSize = ours.facts.format === 'pdf' && Math.abs(areaOf(ours.facts) / areaOf(theirs.facts) - 1) > 0.1
  const bits = ours.look && theirs.look && !isOtherSize ? distance(ours.look, theirs.look) : 0
  return bits > sameLook ? `looks different (${bits} of 128 bits)` : undefined
}

function missingWords(share: number | undefined): string | undefined {
  if (share === undefined || share >= enoughWords) return undefined
  return `${(share * 100).toFixed(1)} % of the words`
}

/** The share of one text's words that are in another, counted as often as they occur; undefined if there are none. */
export function sharedWords(ours: string, theirs: string): number | undefined {
  const wanted = toWords(theirs)
  if (wanted.length === 0) return undefined
  const counts = new Map<string, number>()
  for (const word of toWords(ours)) counts.set(word, (counts.get(word) ?? 0) + 1)
  let found = 0
  for (const word of wanted) {
    const left = counts.get(word) ?? 0
    if (left === 0) continue
    counts.set(word, left - 1)
    found += 1
  }
  return found / wanted.length
}

function toWords(text: string): readonly string[] {
  return text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? []
}
