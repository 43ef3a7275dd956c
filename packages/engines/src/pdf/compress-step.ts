import type { ProcessStep } from '../engine.ts'
import { processStep } from '../pages/process-step.ts'
import type { PdfOptions } from './pdf-options.ts'

interface Level {
  readonly dpi: number
  readonly quality: number
  /** What becomes of pictures that were stored without loss: drawings and screenshots suffer most from JPEG. */
  readonly lossless: 'lossless' | 'jpeg'
}

/** How far pictures are reduced. Without a level they stay as they are. */
const levels: Readonly<Record<string, Level | undefined>> = {
  medium: { dpi: 150, quality: 75, lossless: 'lossless' },
  high: { dpi: 110, quality: 60, lossless: 'jpeg' },
  extreme: { dpi: 72, quality: 40, lossless: 'jpeg' },
}

/**
 * Reduces the pictures of a PDF with MuPDF; undefined where the level leaves them as they are. It must not renumber
 * objects in the same run: where it lets a font draw with the resources of its page, MuPDF changes the numbers in them
 * twice, and the text is lost.
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

/** Packs a PDF anew with MuPDF: doubles merged, streams and objects packed tightly. */
export function packStep(file: string, out: string): ProcessStep {
  return processStep('mutool', ['clean', '-gggg', '-z', '-f', '-i', '-t', '-Z', '-e', '100', file, out], { out })
}

function pictureArgs({ dpi, quality, lossless }: Level): readonly string[] {
  // A picture a little finer than asked for would only get worse by being drawn anew.
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
