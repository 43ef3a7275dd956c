import { enumOption, integerOption, type OptionDescriptor } from '../option-descriptor.ts'
import type { Writable } from './encoder-options.ts'

const spaces = {
  srgb: 'sRGB, as screens expect',
  gray: 'Shades of gray',
  p3: 'Display P3, with its profile',
  cmyk: 'CMYK for print, with its profile',
}

function colourSpace(...names: readonly (keyof typeof spaces)[]) {
  const hint = 'The colours the result is in. Left out, they are those of sRGB, or of the profile that is kept.'
  const values = Object.fromEntries(names.map((name) => [name, spaces[name]]))
  return enumOption({ name: 'colour_space', label: 'Colour space', hint }, values)
}

const dpi = integerOption(
  { name: 'dpi', label: 'Resolution', hint: 'Noted in the file for printers. Changes no pixel.', units: 'dpi' },
  { min: 1, max: 9600 },
)

const depth = enumOption(
  { name: 'depth', label: 'Depth', hint: 'Bits of each channel. 16 keeps what cameras and scanners saw.' },
  { '8': 'As most programs expect', '16': 'Finer, twice as large' },
  '8',
)

const screen = colourSpace('srgb', 'gray', 'p3')
const print = colourSpace('srgb', 'gray', 'p3', 'cmyk')

/** What can be chosen about colours and resolution when a format is written. */
export const lookOptions = {
  jpg: [print, dpi],
  png: [screen, dpi, depth],
  webp: [screen],
  avif: [screen],
  gif: [colourSpace('srgb', 'gray')],
  tiff: [print, dpi, depth],
} satisfies Record<Writable, readonly OptionDescriptor[]>

/** Which of several frames or pages to take. */
export const page = integerOption(
  { name: 'page', label: 'Page', hint: 'The frame or page to take, counted from 1.' },
  { min: 1, max: 50_000 },
)
