import { enumOption, integerOption, type OptionDescriptor } from '../option-descriptor.ts'
import type { Writable } from './encoder-options.ts'

const spaces = {
  srgb: 'sRGB, for screens',
  gray: 'Grayscale',
  p3: 'Display P3, with its profile',
  cmyk: 'CMYK for print, with its profile',
}

function colourSpace(...names: readonly (keyof typeof spaces)[]) {
  const hint = 'Color space of the result. Default: sRGB, or that of the color profile if strip is false.'
  const values = Object.fromEntries(names.map((name) => [name, spaces[name]]))
  return enumOption({ name: 'colour_space', label: 'Colour space', hint }, values)
}

const dpi = integerOption(
  {
    name: 'dpi',
    label: 'Resolution',
    hint: 'Resolution stored in the file for printing. Pixels do not change.',
    units: 'dpi',
  },
  { min: 1, max: 9600 },
)

const depth = enumOption(
  { name: 'depth', label: 'Depth', hint: 'Bits per channel. 16 keeps the full range of raw photos and scans.' },
  { '8': '8-bit: supported by all programs', '16': '16-bit: finer gradations, larger file' },
  '8',
)

const screen = colourSpace('srgb', 'gray', 'p3')
const print = colourSpace('srgb', 'gray', 'p3', 'cmyk')

/** The options for colors and resolution when a format is written. */
export const lookOptions = {
  jpg: [print, dpi],
  png: [screen, dpi, depth],
  webp: [screen],
  avif: [screen],
  gif: [colourSpace('srgb', 'gray')],
  tiff: [print, dpi, depth],
} satisfies Record<Writable, readonly OptionDescriptor[]>

/** Which of several frames or pages to convert. */
export const page = integerOption(
  { name: 'page', label: 'Page', hint: 'Number of the frame or page to convert, from 1.' },
  { min: 1, max: 50_000 },
)
