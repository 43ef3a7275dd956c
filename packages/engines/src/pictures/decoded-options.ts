import { enumOption, type OptionValues } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { imageMarkOptions } from '../watermark/options.ts'
import { convertOptions, type VipsOption, readable as vipsReadable } from './abilities.ts'
import { effort, lossless, lossy, quality, targetSize, writable as vipsWritable } from './encoder-options.ts'
import { encoders, type Writable } from './encoders.ts'
import { page } from './look-options.ts'
import { background, cropOptions, shapeOptions, strip } from './picture-options.ts'

const iconSizes = enumOption(
  { name: 'sizes', label: 'Sizes', hint: 'Sizes of the images in the icon.' },
  { one: 'Size of the image, at most 256 pixels', all: '16, 32, 48, 64, 128 and 256 pixels' },
  'one',
)

const targaCompression = enumOption(
  { name: 'compression', label: 'Compression', hint: 'Compression of the pixels. Always lossless.' },
  { rle: 'Run-length encoding', none: 'Uncompressed' },
  'rle',
)

const surfaceCompression = enumOption(
  { name: 'compression', label: 'Compression', hint: 'Texture compression for graphics cards.' },
  { dxt5: 'DXT5, with transparency', dxt1: 'DXT1, smaller, no transparency', none: 'Uncompressed' },
  'dxt5',
)

const jxlEffort = effort(9, 4, 1)

/** An option of some image operation. */
export type PictureOption = VipsOption | typeof iconSizes | typeof targaCompression | typeof surfaceCompression

export type PictureOptions = OptionValues<PictureOption>

type Options = readonly PictureOption[]

/** The options for writing a format. */
export const encoderOptions: Readonly<Partial<Record<Writable, Options>>> = {
  heic: [quality(50)],
  jxl: [quality(90, lossy), lossless, jxlEffort],
  jp2: [quality(75, lossy), lossless],
  ico: [iconSizes],
  tga: [targaCompression],
  dds: [surfaceCompression],
}

/** The options for compressing a format, for formats whose size depends on a quality. */
export const compressOptions: Readonly<Partial<Record<Writable, Options>>> = {
  heic: [strip, quality(40), targetSize(), strict],
  jxl: [strip, quality(80, lossy), lossless, jxlEffort, targetSize(lossy), strict],
  jp2: [strip, quality(50, lossy), lossless, targetSize(lossy), strict],
}

const paged = ['heic', 'ico', 'cur', 'dcx', 'fits', 'apng', 'fli', 'ppm', 'pgm', 'pbm', 'pam']

function more(from: string, to: string): Options {
  const isBare = vipsReadable.some((format) => format === from)
  const base = isBare ? convertOptions(from as (typeof vipsReadable)[number], 'png') : []
  const ofSource = base.filter(({ name }) => name === 'density' || name === 'page')
  const fills = to !== 'jpg' && (encoders[to as Writable]?.isOpaque ?? false) ? [background] : []
  return [...fills, ...ofSource, ...(paged.includes(from) ? [page] : [])]
}

// Pairs with equal options share one list: lists are compared by identity.
const lists = new Map<string, Options>()

/** The options of a conversion in which ImageMagick does at least a part. */
export function optionsFor(from: string, to: string): Options {
  const added = more(from, to)
  const key = [to, ...added.map(({ name }) => name)].join()
  const list = lists.get(key) ?? [...baseOf(to), ...added]
  lists.set(key, list)
  return list
}

function baseOf(to: string): Options {
  const isBare = vipsWritable.some((format) => format === to)
  if (isBare) return convertOptions('png', to as (typeof vipsWritable)[number])
  return [strip, ...shapeOptions, ...(encoderOptions[to as Writable] ?? []), strict]
}

/** The options of a crop. */
export function cropOptionsFor(format: Writable): Options {
  return [...cropOptions, strip, ...(encoderOptions[format] ?? []), strict]
}

/** The options of a watermark. */
export function watermarkOptionsFor(format: Writable): Options {
  return [...imageMarkOptions, strip, ...(encoderOptions[format] ?? []), strict]
}
