import type { ProcessStep } from '../engine.ts'
import { processStep } from './process-step.ts'

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

/** Packs a PDF anew with MuPDF: doubles merged, streams and objects packed tightly, pictures reduced. */
export function compressStep(file: string, out: string, asked: { level: string; dpi?: number; quality?: number }) {
  const level = levels[asked.level]
  const reduced = level === undefined ? [] : pictureArgs({ ...level, ...given(asked) })
  const packed = ['-gggg', '-z', '-f', '-i', '-t', '-Z', '-e', '100']
  return processStep('mutool', ['clean', ...packed, ...reduced, file, out], { out }) satisfies ProcessStep
}

function given({ dpi, quality }: { dpi?: number; quality?: number }) {
  return { ...(dpi !== undefined && { dpi }), ...(quality !== undefined && { quality }) }
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
