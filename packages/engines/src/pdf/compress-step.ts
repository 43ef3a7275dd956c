import type { ProcessStep } from '../engine.ts'
import { processStep } from '../pages/process-step.ts'
import type { PdfOptions } from './pdf-options.ts'

interface Level {
  readonly dpi: number
  readonly quality: number
  /** How images that were stored without loss are recompressed: drawings and screenshots suffer most from JPEG. */
  readonly lossless: 'lossless' | 'jpeg'
}

/** How far images are reduced. Without a level they stay as they are. */
const levels: Readonly<Record<string, Level | undefined>> = {
  medium: { dpi: 150, quality: 75, lossless: 'lossless' },
  high: { dpi: 110, quality: 60, lossless: 'jpeg' },
  extreme: { dpi: 72, quality: 40, lossless: 'jpeg' },
}

/**
 * Reduces the images of a PDF with MuPDF; undefined if the level leaves them as they are. The same run must not
 * renumber objects: if a font uses the resources of its page, MuPDF changes the numbers in them twice, and the text is
 * lost.
 */
export function reduceStep(
  file: string,
  out: string,
  { level: name = 'medium', dpi, quality }: PdfOptions,
): ProcessStep | undefined {
  const level = levels[name]
  if (level === undefined) return undefined
  const given = { ...(dpi !== undefined && { dpi }), ...(quality !== undefined && { quality }) }
  return processStep('mutool', ['clean', ...pictureArgs({ ...level, ...given }), file, out], { out })
}

/** Repacks a PDF with MuPDF: merges duplicates, and compresses streams and objects. */
export function packStep(file: string, out: string): ProcessStep {
  return processStep('mutool', ['clean', '-gggg', '-z', '-f', '-i', '-t', '-Z', '-e', '100', file, out], { out })
}

function pictureArgs({ dpi, quality, lossless }: Level): readonly string[] {
  // Resampling an image that is only slightly finer than requested would just make it worse.
  const resolution = `${Math.round(dpi * 1.25)},${dpi}`
  const methods = { lossy: `jpeg:${quality}`, lossless: lossless === 'jpeg' ? `jpeg:${quality}` : 'lossless' }
  return ['color', 'gray'].flatMap((colours) =>
    Object.entries(methods).flatMap(([kind, method]) => [
      ...[`--${colours}-${kind}-image-subsample-method`, 'bicubic'],
      ...[`--${colours}-${kind}-image-subsample-dpi`, resolution],
      ...[`--${colours}-${kind}-image-recompress-method`, method],
    ]),
  )
}
