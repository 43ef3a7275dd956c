import {
  booleanOption,
  enumOption,
  integerOption,
  needs,
  type OptionCondition,
  type OptionDescriptor,
  unlessNot,
} from '../option-descriptor.ts'

/** The formats that sharp writes. */
export const writable = ['jpg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const
export type Writable = (typeof writable)[number]

/** A lossless result has no quality, so setting both is a contradiction. */
export const lossy = [unlessNot('lossless', 'false', 'Lossy')]

/** Describes the quality of an image. */
export function quality(byDefault: number, conditions: readonly OptionCondition[] = []) {
  const hint = 'Quality (1-100). Higher looks better and makes the file larger.'
  return integerOption({ name: 'quality', label: 'Quality', hint, conditions }, { min: 1, max: 100, byDefault })
}

/** Describes how much time an encoder spends. */
export function effort(max: number, byDefault?: number, min = 0) {
  const chosen = byDefault === undefined ? ' Default: depends on the size of the image.' : ''
  const hint = `How much time the encoder spends. Higher values make smaller files.${chosen}`
  const range = { min, max, ...(byDefault !== undefined && { byDefault }) }
  return integerOption({ name: 'effort', label: 'Effort', hint }, range)
}

function colourCount(byDefault: number, conditions: readonly OptionCondition[] = []) {
  const hint = 'Maximum number of colors in the palette.'
  return integerOption({ name: 'colours', label: 'Colours', hint, conditions }, { min: 2, max: 256, byDefault })
}

export const lossless = booleanOption(
  { name: 'lossless', label: 'Lossless', hint: 'Keep every pixel unchanged.' },
  false,
)

const progressive = booleanOption(
  {
    name: 'progressive',
    label: 'Progressive',
    hint: 'Write a progressive image: browsers show a coarse version while the rest downloads.',
  },
  false,
)

const palette = booleanOption(
  { name: 'palette', label: 'Palette', hint: 'Reduce the image to a palette of colors. Much smaller, but lossy.' },
  false,
)

const compressionLevel = integerOption(
  {
    name: 'compression_level',
    label: 'Compression level',
    hint: 'Higher values make smaller files and take longer. Always lossless.',
  },
  { min: 0, max: 9, byDefault: 6 },
)

function tiffCompression(byDefault: 'lzw' | 'deflate') {
  const hint = 'Compression of the pixels. All but jpeg are lossless.'
  const values = { lzw: 'LZW', deflate: 'Deflate', jpeg: 'JPEG, lossy', none: 'Uncompressed' }
  const onlyJpeg = needs('compression', [{ value: 'jpeg', hint: 'JPEG, lossy' }])
  return [enumOption({ name: 'compression', label: 'Compression', hint }, values, byDefault), quality(80, [onlyJpeg])]
}

/** The options for writing a format. The defaults are those of the encoder, except for TIFF, which stays lossless. */
export const encoderOptions = {
  jpg: [quality(80), progressive],
  png: [compressionLevel, palette, colourCount(256, [needs('palette', [{ value: 'true', hint: 'With a palette' }])])],
  webp: [quality(80, lossy), lossless, effort(6, 4)],
  avif: [quality(50, lossy), lossless, effort(9)],
  gif: [colourCount(256)],
  tiff: tiffCompression('lzw'),
} satisfies Record<Writable, readonly OptionDescriptor[]>

/** Describes the maximum size of a result in bytes. */
export function targetSize(conditions: readonly OptionCondition[] = []) {
  const hint = 'Maximum size of the result in bytes. Quality is reduced to reach it, then width and height.'
  const about = { name: 'target_size', label: 'Target size', hint, units: 'bytes', conditions } as const
  return integerOption(about, { min: 256, max: 1024 ** 3 })
}

/** The options for compressing a format. */
export const compressOptions = {
  jpg: [quality(75), progressive, targetSize()],
  png: [quality(80, lossy), lossless, targetSize(lossy)],
  webp: [quality(75, lossy), lossless, effort(6, 5), targetSize(lossy)],
  avif: [quality(45, lossy), lossless, effort(9), targetSize(lossy)],
  gif: [colourCount(128), targetSize()],
  tiff: tiffCompression('deflate'),
} satisfies Record<Writable, readonly OptionDescriptor[]>
