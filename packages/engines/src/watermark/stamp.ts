import type { CallStep, JsonObject, SourceFile } from '../engine.ts'
import { pictureCall } from '../pictures/picture-call.ts'
import type { MarkOptions } from './options.ts'

/** The watermark: a text, or an image with the role `overlay`. */
export interface Mark {
  readonly overlay: SourceFile | undefined
  readonly options: MarkOptions
}

/** The file of the watermark: as large as its text or image, with a transparent background. */
export const stampFile = { file: 'stamp-0.png', format: 'png' } as const

/** The step that draws only the watermark. */
export function stampStep(mark: Mark): CallStep {
  return draw('stamp', mark, {})
}

/** The step that draws the watermark at its position on a transparent image of this size. */
export function layerStep(
  mark: Mark,
  { width, height }: { readonly width: number; readonly height: number },
): CallStep {
  return draw('stamp-layer', mark, { width, height, ...placeOf(mark.options) })
}

/** Where the watermark goes. */
export function placeOf({ position = 'center', size = 50, margin = 3 }: MarkOptions) {
  return { position, size, margin }
}

function draw(op: string, { overlay, options }: Mark, place: JsonObject): CallStep {
  const { text = '', color = 'white', opacity = 50, rotation = 0 } = options
  const params = { color, opacity, rotation, ...place }
  const step = pictureCall({ op, inputs: overlay ? [overlay] : [], output: stampFile, params })
  return overlay ? step : { ...step, writes: [{ file: 'stamp.txt', text }] }
}
