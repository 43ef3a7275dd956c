import type { Coder } from './policy.ts'

/** How a format of several pictures becomes one. */
type Pick = 'first' | 'largest' | 'flatten'

/** How ImageMagick reads a format. */
export interface MagickDecoder {
  readonly tool: 'magick'
  readonly coder: Coder
  /** Coders it calls for what lies inside. */
  readonly inside: readonly Coder[]
  readonly pick: Pick
  /** Whether its numbers are light, not what a screen is told. */
  readonly isLinear: boolean
  /** Where width and height stand, four bytes each, in a format that ImageMagick decodes whole to tell its size. */
  readonly sizeAt?: number
}

export type Decoder = MagickDecoder | { readonly tool: 'jxl' } | { readonly tool: 'libraw' }

const coder = (name: string, module = name.toUpperCase()): Coder => ({ name, module })

function magick(own: Coder, more: Partial<MagickDecoder> = {}): MagickDecoder {
  return { tool: 'magick', coder: own, inside: [], pick: 'first', isLinear: false, ...more }
}

/** The formats read here, and who reads them. */
export const decoders = {
  heic: magick(coder('heic')),
  jxl: { tool: 'jxl' },
  jp2: magick(coder('jp2')),
  bmp: magick(coder('bmp')),
  // An icon holds sizes of one picture, large ones as PNG.
  ico: magick(coder('ico', 'ICON'), { inside: [coder('png'), coder('bmp')], pick: 'largest' }),
  psd: magick(coder('psd')),
  tga: magick(coder('tga')),
  xcf: magick(coder('xcf'), { pick: 'flatten', sizeAt: 14 }),
  exr: magick(coder('exr'), { isLinear: true }),
  hdr: magick(coder('hdr'), { isLinear: true }),
  dds: magick(coder('dds')),
  ppm: magick(coder('ppm', 'PNM')),
  pgm: magick(coder('pgm', 'PNM')),
  pbm: magick(coder('pbm', 'PNM')),
  pam: magick(coder('pam', 'PNM')),
  pcx: magick(coder('pcx')),
  raw: { tool: 'libraw' },
} as const satisfies Record<string, Decoder>

export type Readable = keyof typeof decoders

export const readable = Object.keys(decoders) as Readable[]

export function findDecoder(format: string): Decoder | undefined {
  return Object.hasOwn(decoders, format) ? decoders[format as Readable] : undefined
}
