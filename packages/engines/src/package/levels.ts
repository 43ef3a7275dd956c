import type { JsonObject } from '../engine.ts'

/** How far images in a document are reduced. */
interface Level {
  readonly dpi?: number
  /** Of JPEG images; without one they stay as they are. */
  readonly quality?: number
  /** Whether PNG images may be reduced to 256 colours. */
  readonly losesColours: boolean
  /** Structural similarity to the original that a reduced image must keep. */
  readonly similarity: number
}

const levels: Readonly<Record<string, Level>> = {
  low: { losesColours: false, similarity: 1 },
  medium: { dpi: 150, quality: 75, losesColours: false, similarity: 0.95 },
  high: { dpi: 110, quality: 60, losesColours: true, similarity: 0.92 },
  extreme: { dpi: 72, quality: 40, losesColours: true, similarity: 0.85 },
}

/** The numbers the runner is given for a level, and for what was asked instead of its own. */
export function toReduction({ level = 'medium', dpi, quality }: Readonly<Record<string, unknown>>): JsonObject {
  return {
    ...levels[String(level)],
    ...(dpi !== undefined && { dpi: Number(dpi) }),
    ...(quality !== undefined && { quality: Number(quality) }),
  }
}
