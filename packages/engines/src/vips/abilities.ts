import type { Ability } from '../engine.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { compressOptions, encoderOptions, type Writable, writable } from './encoder-options.ts'
import { pdfOptions } from './pdf-options.ts'
import { background, cropOptions, density, gifMergeOptions, shapeOptions, strip } from './picture-options.ts'

/** The pictures this engine reads. */
export const readable = [...writable, 'svg'] as const

/** Everything this engine does. JPEG is the one output without transparency, and the one input too. */
export const abilities: readonly Ability[] = [
  ...readable.flatMap((from) => writable.map((to) => convert(from, to))),
  ...readable.map((from): Ability => ({ operation: 'convert', from, to: 'pdf', options: toPdf(from) })),
  ...writable.map((to): Ability => ({ operation: 'compress', from: to, to, options: [strip, ...compressOptions[to]] })),
  ...writable.map((to): Ability => ({ operation: 'crop', from: to, to, options: crop(to) })),
  ...readable.map((from): Ability => ({ operation: 'merge', from, to: 'gif', options: toGif(from) })),
  ...[...readable, 'pdf'].map((from): Ability => ({ operation: 'merge', from, to: 'pdf', options: pdfOptions })),
]

function convert(from: (typeof readable)[number], to: Writable): Ability {
  return { operation: 'convert', from, to, options: convertOptions(from, to) }
}

/** What can be chosen when one picture becomes another. */
export function convertOptions(from: (typeof readable)[number], to: Writable): readonly OptionDescriptor[] {
  const options: OptionDescriptor[] = [strip, ...shapeOptions, ...encoderOptions[to]]
  if (to === 'jpg' && from !== 'jpg') options.push(background)
  if (from === 'svg') options.push(density(72))
  return options
}

// A drawing on a page is looked at closely and printed: 300 dpi.
function toPdf(from: string): readonly OptionDescriptor[] {
  return from === 'svg' ? [...pdfOptions, density(300)] : pdfOptions
}

function toGif(from: string): readonly OptionDescriptor[] {
  return from === 'svg' ? [...gifMergeOptions, density(72)] : gifMergeOptions
}

function crop(format: Writable): readonly OptionDescriptor[] {
  return [...cropOptions, strip, ...encoderOptions[format]]
}
