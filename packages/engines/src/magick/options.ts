import { enumOption, integerOption, type OptionDescriptor } from '../option-descriptor.ts'
import { convertOptions } from '../vips/abilities.ts'
import { effort, lossless, lossy, quality, writable as vipsWritable } from '../vips/encoder-options.ts'
import { background, shapeOptions, strip } from '../vips/picture-options.ts'
import { encoders, type Writable } from './encoders.ts'

const iconSizes = enumOption(
  { name: 'sizes', label: 'Sizes', hint: 'Which sizes the icon holds.' },
  { one: "The picture's own, at most 256 pixels", all: '16, 32, 48, 64, 128 and 256 pixels' },
  'one',
)

const targaCompression = enumOption(
  { name: 'compression', label: 'Compression', hint: 'How the pixels are packed. Never loses anything.' },
  { rle: 'Run lengths', none: 'Not at all' },
  'rle',
)

const surfaceCompression = enumOption(
  { name: 'compression', label: 'Compression', hint: 'How the pixels are packed for a graphics card.' },
  { dxt5: 'DXT5, with transparency', dxt1: 'DXT1, smaller, without', none: 'Not at all' },
  'dxt5',
)

/** What can be chosen when a format is written. */
export const encoderOptions: Readonly<Record<Writable, readonly OptionDescriptor[]>> = {
  heic: [quality(50)],
  jxl: [quality(90, lossy), lossless, effort(9, 4, 1)],
  jp2: [quality(75, lossy), lossless],
  bmp: [],
  ico: [iconSizes],
  psd: [],
  tga: [targaCompression],
  exr: [],
  hdr: [],
  dds: [surfaceCompression],
  ppm: [],
  pgm: [],
  pbm: [],
  pam: [],
  pcx: [],
}

const page = integerOption(
  { name: 'page', label: 'Picture', hint: 'Which picture of the file to take, counted from 1.' },
  { min: 1, max: 2000 },
)
const paged = ['heic', 'ico', 'ppm', 'pgm', 'pbm', 'pam']

type Options = readonly OptionDescriptor[]

// One list for all pairs that offer the same: lists are told apart by identity.
const toWritable = new Map<string, Options>(
  Object.entries(encoderOptions).map(([to, own]) => {
    const fills = encoders[to as Writable].isOpaque ? [background] : []
    return [to, [strip, ...shapeOptions, ...own, ...fills]]
  }),
)
const toVips = new Map<string, Options>(vipsWritable.map((to) => [to, convertOptions('png', to)]))
const withPage = new Map<Options, Options>(
  [...toWritable.values(), ...toVips.values()].map((options) => [options, [...options, page]]),
)

/** The options of a conversion of which ImageMagick does at least a part. */
export function optionsFor(from: string, to: string): Options {
  const options = toWritable.get(to) ?? toVips.get(to) ?? []
  return paged.includes(from) ? (withPage.get(options) ?? options) : options
}
