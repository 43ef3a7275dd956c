import type { JsonObject } from '../engine.ts'
import type { OptionValues } from '../option-descriptor.ts'
import type { compressOptions } from './options.ts'

/** How far images in a document are reduced. */
interface Level {
  readonly dpi?: number
  /** Quality of JPEG images. Without it they stay as they are. */
  readonly quality?: number
  /** Whether PNG images may be reduced to 256 colors. */
  readonly losesColours: boolean
  /** Structural similarity to the original that a reduced image must keep. */
  readonly similarity: number
}

type Options = OptionValues<(typeof compressOptions)[number]>

const levels: Readonly<Record<NonNullable<Options['level']>, Level>> = {
  low: { losesColours: false, similarity: 1 },
  medium: { dpi: 150, quality: 75, losesColours: false, similarity: 0.95 },
  high: { dpi: 110, quality: 60, losesColours: true, similarity: 0.92 },
  extreme: { dpi: 72, quality: 40, losesColours: true, similarity: 0.85 },
}

/** The numbers for the runner: those of the level, replaced by the options of the request. */
export function toReduction({ level = 'medium', ...given }: Options): JsonObject {
  return { ...levels[level], ...given }
}
