import type { OptionValues } from '../option-descriptor.ts'
import type { documentOptions, drawOptions, quality, textOptions, transparent } from '../pages/options.ts'
import type { compressOptions, cropOptions, rewriteOptions } from './document-options.ts'
import type { drawingMergeOptions, framePageOptions, framePictureOptions } from './merge-options.ts'
import type {
  encryptOptions,
  ocrOptions,
  reorderOptions,
  rotateOptions,
  splitOptions,
  watermarkOptions,
} from './work-options.ts'

/** An option of some operation on PDF files. */
export type PdfOption =
  | (typeof documentOptions | typeof drawOptions | typeof textOptions)[number]
  | (typeof compressOptions | typeof cropOptions | typeof rewriteOptions)[number]
  | (typeof drawingMergeOptions | typeof framePageOptions | typeof framePictureOptions)[number]
  | (typeof encryptOptions | typeof ocrOptions | typeof reorderOptions | typeof rotateOptions)[number]
  | (typeof splitOptions | typeof watermarkOptions)[number]
  | typeof quality
  | typeof transparent

/** The options of a request. An option of two operations has both types: `rotate` is an angle, or true for `ocr`. */
export type PdfOptions = OptionValues<PdfOption>
