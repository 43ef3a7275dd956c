import type { Lane } from '@lathe/domain'
import { expectedLane } from '@lathe/engines'
import type { Chance } from '@lathe/testing'

/** A conversion: import, engine, export. */
export interface Conversion {
  /** The workers that run its engine. */
  readonly group: Group
  readonly lane: Exclude<Lane, 'alone'>
  readonly engineMs: number
  readonly transferMs: number
}

/** Kinds of workers with separate queues. Audio and video need nearly all cores; the other families share them. */
export const groups = ['av', 'rest'] as const
export type Group = (typeof groups)[number]

interface Kind {
  readonly share: number
  readonly group: Group
  readonly from: string
  readonly to: string
  readonly ocr?: true
  readonly medianMiB: number
  /** Core seconds: to start, and for each MiB. For warm engines; `npm run bench` measures them. */
  readonly startS: number
  readonly perMiBS: number
}

export const kinds = {
  image: { share: 0.76, group: 'rest', from: 'jpg', to: 'webp', medianMiB: 0.3, startS: 0.014, perMiBS: 0.1 },
  office: { share: 0.13, group: 'rest', from: 'docx', to: 'pdf', medianMiB: 0.1, startS: 0.3, perMiBS: 1 },
  pdf: { share: 0.04, group: 'rest', from: 'pdf', to: 'png', medianMiB: 0.5, startS: 0.2, perMiBS: 0.4 },
  ocr: { share: 0.01, group: 'rest', from: 'pdf', to: 'pdf', ocr: true, medianMiB: 0.5, startS: 2, perMiBS: 6 },
  audio: { share: 0.02, group: 'av', from: 'wav', to: 'mp3', medianMiB: 4, startS: 0.3, perMiBS: 0.1 },
  video: { share: 0.04, group: 'av', from: 'mp4', to: 'webm', medianMiB: 10, startS: 2, perMiBS: 4 },
} as const satisfies Readonly<Record<string, Kind>>

export type KindName = keyof typeof kinds

// File sizes vary about threefold around their median, and none is larger than this multiple of it.
const spread = 0.8
const largest = 20
const MiB = 1024 ** 2
// A transfer inside a region: one round trip to the store and 50 MiB/s.
const transferStartMs = 40
const transferPerMiBMs = 20

/** A conversion of a kind with a random size. The service's own estimate decides its lane. */
export function createConversion(name: KindName, chance: Chance): Conversion {
  const kind: Kind = kinds[name]
  const sizeMiB = kind.medianMiB * Math.min(largest, Math.exp(spread * normal(chance)))
  const lane = expectedLane({
    operation: 'convert',
    sources: [{ format: kind.from, size: sizeMiB * MiB }],
    to: kind.to,
    options: kind.ocr ? { ocr: true } : {},
  })
  return {
    group: kind.group,
    lane,
    engineMs: 1000 * (kind.startS + kind.perMiBS * sizeMiB),
    transferMs: transferStartMs + transferPerMiBMs * sizeMiB,
  }
}

/** A random kind according to its share. */
export function pickKind(chance: Chance): KindName {
  let left = chance.fraction()
  for (const name of Object.keys(kinds) as KindName[]) {
    left -= kinds[name].share
    if (left < 0) return name
  }
  return 'image'
}

/** The average engine time of a group per conversion of the whole mix, in milliseconds. */
export function meanEngineMs(group: Group): number {
  // The ratio of mean to median for this distribution of sizes.
  const meanOverMedian = Math.exp(spread ** 2 / 2)
  return (
    Object.values(kinds)
      .filter((kind) => kind.group === group)
      .reduce(
        (sum, { share, startS, perMiBS, medianMiB }) => sum + share * (startS + perMiBS * medianMiB * meanOverMedian),
        0,
      ) * 1000
  )
}

// Box-Muller transform.
function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance.fraction())) * Math.cos(2 * Math.PI * chance.fraction())
}
