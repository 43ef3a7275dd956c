import type { Ability } from '../engine.ts'
import { readable as vipsReadable } from './abilities.ts'
import {
  compressOptions,
  cropOptionsFor,
  optionsFor,
  type PictureOption,
  watermarkOptionsFor,
} from './decoded-options.ts'
import { readable } from './decoders.ts'
import { writable as vipsWritable } from './encoder-options.ts'
import { writable } from './encoders.ts'
import { pdfOptions } from './pdf-options.ts'

const both = writable.filter((format) => (readable as readonly string[]).includes(format))

/** Every pair of image formats of which libvips alone cannot handle one side. */
export const abilities: readonly Ability<PictureOption>[] = [
  ...readable.flatMap((from) => [...vipsWritable, ...writable].map((to) => convert(from, to))),
  ...vipsReadable.flatMap((from) => writable.map((to) => convert(from, to))),
  ...readable.map((from) => ({ operation: 'convert', from, to: 'pdf', options: pdfOptions }) satisfies Ability),
  ...both.map((to) => ({ operation: 'crop', from: to, to, options: cropOptionsFor(to) }) satisfies Ability),
  ...both.map((to) => ({ operation: 'watermark', from: to, to, options: watermarkOptionsFor(to) }) satisfies Ability),
  ...Object.entries(compressOptions).map(
    ([to, options]) => ({ operation: 'compress', from: to, to, options }) satisfies Ability,
  ),
]

function convert(from: string, to: string): Ability<PictureOption> {
  return { operation: 'convert', from, to, options: optionsFor(from, to) }
}
