import { findFormat } from '@lathe/formats'
import { abilitiesOf } from '../abilities-of.ts'
import { abilities as officeAbilities } from '../documents/abilities.ts'
import type { Ability } from '../engine.ts'
import {
  documentOptions,
  drawOptions,
  pages,
  quality,
  qualityOption,
  textOptions,
  transparent,
  withoutPassword,
} from '../pages/options.ts'
import { gifMerges, abilities as pictureAbilities } from '../pictures/abilities.ts'
import { abilities as decodedAbilities } from '../pictures/decoded-abilities.ts'
import { readable as decodedFormats } from '../pictures/decoders.ts'
import { gifMergeOptions } from '../pictures/picture-options.ts'
import { strict } from '../strict-option.ts'
import { compressOptions, cropOptions, ofOne, rewriteOptions, trimOptions } from './document-options.ts'
import { type DrawnFormat, drawnFormats } from './draw-source.ts'
import { drawingMergeOptions, framePageOptions, mergeOptions } from './merge-options.ts'
import type { PdfOption } from './pdf-options.ts'
import { recodedFormats } from './recode.ts'
import { officeTargets, toOfficeOptions } from './to-office.ts'
import {
  encryptOptions,
  hocrOptions,
  imageHocrOptions,
  imageOcrOptions,
  ocrOptions,
  reorderOptions,
  rotateOptions,
  splitOptions,
  watermarkOptions,
} from './work-options.ts'

const from = 'pdf'

// Pairs with equal options share one list: lists are compared by identity.
const raster: Readonly<Record<string, readonly PdfOption[]>> = {
  png: [...drawOptions, transparent, strict],
  jpg: [...drawOptions, quality, strict],
  tiff: [...drawOptions, strict],
  ...Object.fromEntries(
    recodedFormats.map((to) => [to, [...drawOptions, transparent, qualityOption(usualQuality(to)), strict]]),
  ),
}

// These formats have no password.
const choice: readonly PdfOption[] = [pages, strict]
const drawn: Readonly<Record<string, readonly PdfOption[]>> = {
  ...Object.fromEntries(['png', 'jpg', 'tiff'].map((to) => [to, withoutPassword(raster[to] ?? [])])),
  svg: choice,
  pdf: choice,
  txt: withoutPassword(textOptions),
}

// A DjVu page is an image with its text next to it: no vector drawing, and no layout.
const { svg: _, ...images } = drawn
const scanned: typeof drawn = { ...images, txt: [pages] }

// Formats of scans and photos. Other images can be converted to one of them first.
const imagesToRead = ['jpg', 'png', 'tiff', 'webp', 'heic', 'bmp', 'gif']

function readPages(from: string, to: string, options: readonly PdfOption[]): Ability<PdfOption> {
  return { operation: 'ocr', from, to, options, family: 'ocr' }
}

/** Every ability of this engine. */
export const abilities: readonly Ability<PdfOption>[] = [
  ...Object.entries(raster).map(([to, options]) => ({ operation: 'convert', from, to, options }) satisfies Ability),
  { operation: 'convert', from, to: 'svg', options: documentOptions },
  { operation: 'convert', from, to: 'txt', options: textOptions },
  { operation: 'convert', from, to: 'html', options: documentOptions },
  ...officeTargets.map((to) => ({ operation: 'convert', from, to, options: toOfficeOptions }) satisfies Ability),
  { operation: 'convert', from, to: 'pdf', options: rewriteOptions },
  { operation: 'compress', from, to: 'pdf', options: compressOptions },
  { operation: 'crop', from, to: 'pdf', options: cropOptions },
  { operation: 'trim', from, to: 'pdf', options: trimOptions },
  { operation: 'rotate', from, to: 'pdf', options: rotateOptions },
  { operation: 'watermark', from, to: 'pdf', options: watermarkOptions },
  { operation: 'reorder', from, to: 'pdf', options: reorderOptions },
  { operation: 'split', from, to: 'pdf', options: splitOptions },
  { operation: 'flatten', from, to: 'pdf', options: ofOne },
  { operation: 'encrypt', from, to: 'pdf', options: encryptOptions },
  { operation: 'decrypt', from, to: 'pdf', options: ofOne },
  ...['pdf', 'txt'].flatMap((to) => [
    readPages(from, to, ocrOptions),
    ...imagesToRead.map((one) => readPages(one, to, imageOcrOptions)),
  ]),
  readPages(from, 'hocr', hocrOptions),
  ...imagesToRead.map((one) => readPages(one, 'hocr', imageHocrOptions)),
  ...drawnFormats.flatMap(drawnAbilities),
  ...mergeable().map(merge),
  { operation: 'merge', from, to: 'gif', options: framePageOptions },
  // Merges of images alone go to the image engine, which comes first. Merged with a document, images are frames here.
  ...gifMerges,
  ...decodedFormats.map(
    (format) => ({ operation: 'merge', from: format, to: 'gif', options: gifMergeOptions }) satisfies Ability,
  ),
]

/** The default quality of the image runner, which recodes the pages. */
function usualQuality(to: string): number {
  const ability = abilitiesOf(pictureAbilities, 'convert').find((one) => one.from === 'png' && one.to === to)
  return Number(ability?.options.find(({ name }) => name === 'quality')?.default_value)
}

function drawnAbilities(format: DrawnFormat): readonly Ability<PdfOption>[] {
  return Object.entries(format === 'djvu' ? scanned : drawn).map(([to, options]) => ({
    operation: 'convert',
    from: format,
    to,
    options,
  }))
}

/** Formats that can be merged. The client interface merges images and PDFs, so a document must become a PDF first. */
function mergeable(): readonly string[] {
  const all = [...pictureAbilities, ...decodedAbilities, ...officeAbilities]
  const pages = abilitiesOf(all, 'convert').filter(
    ({ to, from }) => to === 'pdf' && findFormat(from)?.family === 'image',
  )
  return ['pdf', ...new Set(pages.map((ability) => ability.from))]
}

function merge(format: string): Ability<PdfOption> {
  return { operation: 'merge', from: format, to: 'pdf', options: format === 'svg' ? drawingMergeOptions : mergeOptions }
}
