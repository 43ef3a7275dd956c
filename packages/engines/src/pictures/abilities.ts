import type { Ability } from '../engine.ts'
import { strict } from '../strict-option.ts'
import { imageMarkOptions } from '../watermark/options.ts'
import { compressOptions, encoderOptions, type Writable, writable } from './encoder-options.ts'
import { lookOptions, page } from './look-options.ts'
import { pdfOptions } from './pdf-options.ts'
import {
  background,
  cropOptions,
  density,
  effectDensity,
  gifMergeOptions,
  shapeOptions,
  splitOptions,
  strip,
  trimOptions,
} from './picture-options.ts'

const animated = ['gif', 'webp'] as const

/** The image formats that this engine reads. */
export const readable = [...writable, 'svg'] as const

/** An option of some image operation of libvips. */
export type VipsOption =
  | (typeof encoderOptions | typeof compressOptions | typeof lookOptions)[Writable][number]
  | (typeof shapeOptions | typeof cropOptions | typeof trimOptions | typeof splitOptions)[number]
  | (typeof gifMergeOptions | typeof pdfOptions | typeof imageMarkOptions)[number]
  | typeof page
  | typeof density

type Options = readonly VipsOption[]

// Pairs with equal options share one list: lists are compared by identity.
const lists = new Map<string, Options>()
const paged: readonly string[] = ['gif', 'webp', 'tiff']

/** Images that become the frames of a GIF. */
export const gifMerges = readable.map(
  (from) => ({ operation: 'merge', from, to: 'gif', options: toGif(from) }) satisfies Ability,
)

/** Every ability of this engine. JPEG is the only output without transparency, and the only input without it. */
export const abilities: readonly Ability<VipsOption>[] = [
  ...readable.flatMap((from) => writable.map((to) => convert(from, to))),
  ...readable.map((from) => ({ operation: 'convert', from, to: 'pdf', options: toPdf(from) }) satisfies Ability),
  ...writable.map(
    (to) =>
      ({
        operation: 'compress',
        from: to,
        to,
        options: [strip, ...compressOptions[to], strict],
      }) satisfies Ability,
  ),
  ...writable.map((to) => ({ operation: 'crop', from: to, to, options: crop(to) }) satisfies Ability),
  ...writable.map((to) => ({ operation: 'watermark', from: to, to, options: watermark(to) }) satisfies Ability),
  ...animated.map((to) => ({ operation: 'trim', from: to, to, options: trim(to) }) satisfies Ability),
  { operation: 'split', from: 'tiff', to: 'tiff', options: splitOptions },
  ...gifMerges,
]

function convert(from: (typeof readable)[number], to: Writable): Ability<VipsOption> {
  return { operation: 'convert', from, to, options: convertOptions(from, to) }
}

/** The options for converting one image format to another. */
export function convertOptions(from: (typeof readable)[number], to: Writable): Options {
  const more: VipsOption[] = []
  if (to === 'jpg' && from !== 'jpg') more.push(background)
  if (paged.includes(from)) more.push(page)
  if (from === 'svg') more.push(density)
  const key = [to, ...more.map(({ name }) => name)].join()
  const list = lists.get(key) ?? [strip, ...shapeOptions, ...encoderOptions[to], ...lookOptions[to], ...more, strict]
  lists.set(key, list)
  return list
}

function toPdf(from: string): Options {
  return from === 'svg' ? [...pdfOptions, effectDensity] : pdfOptions
}

function toGif(from: string) {
  return from === 'svg' ? [...gifMergeOptions, density] : gifMergeOptions
}

function trim(format: (typeof animated)[number]): Options {
  return [...trimOptions, strip, ...encoderOptions[format], strict]
}

function crop(format: Writable): Options {
  return [...cropOptions, strip, ...encoderOptions[format], strict]
}

function watermark(format: Writable): Options {
  return [...imageMarkOptions, strip, ...encoderOptions[format], strict]
}
