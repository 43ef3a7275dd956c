import type { Ability } from '../engine.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { imageMarkOptions } from '../watermark/options.ts'
import { compressOptions, encoderOptions, type Writable, writable } from './encoder-options.ts'
import { lookOptions, page } from './look-options.ts'
import { pdfOptions } from './pdf-options.ts'
import {
  background,
  cropOptions,
  density,
  gifMergeOptions,
  shapeOptions,
  splitOptions,
  strip,
  trimOptions,
} from './picture-options.ts'

const animated = ['gif', 'webp'] as const

/** The pictures this engine reads. */
export const readable = [...writable, 'svg'] as const

const density72 = density(72)

// One list for all pairs that offer the same: lists are told apart by identity.
const lists = new Map<string, readonly OptionDescriptor[]>()
const paged: readonly string[] = ['gif', 'webp', 'tiff']

/** Everything this engine does. JPEG is the one output without transparency, and the one input too. */
export const abilities: readonly Ability[] = [
  ...readable.flatMap((from) => writable.map((to) => convert(from, to))),
  ...readable.map((from): Ability => ({ operation: 'convert', from, to: 'pdf', options: toPdf(from) })),
  ...writable.map(
    (to): Ability => ({ operation: 'compress', from: to, to, options: [strip, ...compressOptions[to], strict] }),
  ),
  ...writable.map((to): Ability => ({ operation: 'crop', from: to, to, options: crop(to) })),
  ...writable.map((to): Ability => ({ operation: 'watermark', from: to, to, options: watermark(to) })),
  ...animated.map((to): Ability => ({ operation: 'trim', from: to, to, options: trim(to) })),
  { operation: 'split', from: 'tiff', to: 'tiff', options: splitOptions },
  ...readable.map((from): Ability => ({ operation: 'merge', from, to: 'gif', options: toGif(from) })),
]

function convert(from: (typeof readable)[number], to: Writable): Ability {
  return { operation: 'convert', from, to, options: convertOptions(from, to) }
}

/** What can be chosen when one picture becomes another. */
export function convertOptions(from: (typeof readable)[number], to: Writable): readonly OptionDescriptor[] {
  const more: OptionDescriptor[] = []
  if (to === 'jpg' && from !== 'jpg') more.push(background)
  if (paged.includes(from)) more.push(page)
  if (from === 'svg') more.push(density72)
  const key = [to, ...more.map(({ name }) => name)].join()
  const list = lists.get(key) ?? [strip, ...shapeOptions, ...encoderOptions[to], ...lookOptions[to], ...more, strict]
  lists.set(key, list)
  return list
}

// A drawing on a page is looked at closely and printed: 300 dpi.
function toPdf(from: string): readonly OptionDescriptor[] {
  return from === 'svg' ? [...pdfOptions, density(300)] : pdfOptions
}

function toGif(from: string): readonly OptionDescriptor[] {
  return from === 'svg' ? [...gifMergeOptions, density72] : gifMergeOptions
}

function trim(format: (typeof animated)[number]): readonly OptionDescriptor[] {
  return [...trimOptions, strip, ...encoderOptions[format], strict]
}

function crop(format: Writable): readonly OptionDescriptor[] {
  return [...cropOptions, strip, ...encoderOptions[format], strict]
}

function watermark(format: Writable): readonly OptionDescriptor[] {
  return [...imageMarkOptions, strip, ...encoderOptions[format], strict]
}
