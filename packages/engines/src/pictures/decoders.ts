import { longestSides } from './decoder-limits.ts'
import type { Coder } from './policy.ts'

/** How a file with several images becomes one image. */
type Pick = 'first' | 'largest' | 'flatten' | 'whole'

/** How ImageMagick reads a format. */
export interface MagickDecoder {
  readonly tool: 'magick'
  readonly coder: Coder
  /** Coders that it calls for embedded images. */
  readonly inside: readonly Coder[]
  readonly pick: Pick
  /** Whether its values are linear light instead of display values. */
  readonly isLinear: boolean
  /** The offset of width and height, four bytes each, in a format that ImageMagick would decode to find its size. */
  readonly sizeAt?: number
  /** The longest side, for formats whose own limit is far below ours. */
  readonly maxSide?: number
}

/** How Pillow reads a format. The script checks sizes itself before it decodes. */
export interface PillowDecoder {
  readonly tool: 'pillow'
  /** The names of the plugins that may open the file. */
  readonly plugins: readonly string[]
  /** Whether to read all frames if the result can be animated. */
  readonly isAnimated: boolean
  /** Whether it reads only the small preview that a camera puts into its file. */
  readonly isPreview: boolean
}

/** How FFmpeg reads a format that it supports better than the others. */
export interface FfmpegDecoder {
  readonly tool: 'ffmpeg'
  readonly demuxer: string
}

/** How libjxl reads its format. */
export interface JxlDecoder {
  readonly tool: 'jxl'
  /** Whether to decode the available part of a truncated file. */
  readonly isPartial: boolean
}

export type Decoder = MagickDecoder | PillowDecoder | FfmpegDecoder | JxlDecoder | { readonly tool: 'libraw' }

/** The decoders of a format, in order: each gets the files that the previous one could not read. */
export type Decoders = readonly [Decoder, ...Decoder[]]

const coder = (name: string, module = name.toUpperCase()): Coder => ({ name, module })

function magick(own: Coder, more: Partial<MagickDecoder> = {}): MagickDecoder {
  return { tool: 'magick', coder: own, inside: [], pick: 'first', isLinear: false, ...more }
}

const pillow = (...plugins: readonly string[]): PillowDecoder => ({
  tool: 'pillow',
  plugins,
  isAnimated: false,
  isPreview: false,
})
const animation = (...plugins: readonly string[]): PillowDecoder => ({ ...pillow(...plugins), isAnimated: true })
const ffmpeg = (demuxer: string): FfmpegDecoder => ({ tool: 'ffmpeg', demuxer })

const png = coder('png')
const jpeg = coder('jpeg')
const bmp = coder('bmp')

const icon = { inside: [png, bmp], pick: 'largest', maxSide: longestSides.icon } as const

/** The formats read here, and their decoders. */
export const decoders = {
  heic: [magick(coder('heic'))],
  jxl: [
    { tool: 'jxl', isPartial: false },
    { tool: 'jxl', isPartial: true },
  ],
  jp2: [magick(coder('jp2')), pillow('JPEG2000')],
  // A bitmap for printers may contain a whole JPEG or PNG.
  bmp: [magick(bmp, { inside: [png, jpeg] }), pillow('BMP', 'DIB'), ffmpeg('bmp_pipe')],
  // An icon contains one image in several sizes, large ones as PNG.
  ico: [magick(coder('ico', 'ICON'), icon), pillow('ICO')],
  psd: [magick(coder('psd')), pillow('PSD')],
  tga: [magick(coder('tga')), pillow('TGA')],
  xcf: [magick(coder('xcf'), { pick: 'flatten', sizeAt: 14 })],
  exr: [magick(coder('exr'), { isLinear: true })],
  hdr: [magick(coder('hdr'), { isLinear: true })],
  dds: [magick(coder('dds')), pillow('DDS')],
  ppm: [magick(coder('ppm', 'PNM')), pillow('PPM')],
  pgm: [magick(coder('pgm', 'PNM')), pillow('PPM')],
  pbm: [magick(coder('pbm', 'PNM')), pillow('PPM')],
  pam: [magick(coder('pam', 'PNM'))],
  pcx: [magick(coder('pcx')), pillow('PCX')],
  sgi: [magick(coder('sgi')), pillow('SGI')],
  ras: [magick(coder('sun')), pillow('SUN')],
  qoi: [magick(coder('qoi')), pillow('QOI')],
  cur: [magick(coder('cur', 'ICON'), icon), pillow('CUR')],
  icns: [pillow('ICNS')],
  // Pillow reads wider images.
  fits: [magick(coder('fits'), { maxSide: longestSides.fits }), pillow('FITS')],
  // ImageMagick darkens images with one channel, and Pillow reads no others.
  pfm: [pillow('PPM'), magick(coder('pfm', 'PNM'))],
  dcx: [magick(coder('dcx', 'PCX')), pillow('DCX')],
  // An index would select another resolution.
  pcd: [magick(coder('pcd'), { pick: 'whole' }), pillow('PCD')],
  apng: [animation('PNG')],
  fli: [animation('FLI'), ffmpeg('flic')],
  aai: [magick(coder('aai'))],
  avs: [magick(coder('avs'))],
  dpx: [magick(coder('dpx')), ffmpeg('dpx_pipe')],
  ff: [magick(coder('farbfeld'))],
  fl32: [magick(coder('fl32'))],
  ipl: [magick(coder('ipl'))],
  jbg: [magick(coder('jbig'))],
  jng: [magick(coder('jng', 'PNG'), { inside: [png, jpeg] })],
  mng: [magick(coder('mng', 'PNG'), { inside: [png, jpeg] })],
  mtv: [magick(coder('mtv'))],
  pdb: [magick(coder('pdb'))],
  pgx: [magick(coder('pgx')), ffmpeg('pgx_pipe')],
  phm: [magick(coder('phm', 'PNM'))],
  pict: [magick(coder('pict'), { inside: [jpeg] })],
  vicar: [magick(coder('vicar'))],
  viff: [magick(coder('viff'))],
  vips: [magick(coder('vips'))],
  wbmp: [magick(coder('wbmp'))],
  xbm: [magick(coder('xbm')), pillow('XBM')],
  xpm: [magick(coder('xpm')), pillow('XPM')],
  xwd: [magick(coder('xwd')), ffmpeg('xwd_pipe')],
  raw: [{ tool: 'libraw' }, { ...pillow('TIFF'), isPreview: true }],
} as const satisfies Record<string, Decoders>

export type Readable = keyof typeof decoders

export const readable = Object.keys(decoders) as Readable[]

export function findDecoders(format: string): Decoders | undefined {
  return Object.hasOwn(decoders, format) ? decoders[format as Readable] : undefined
}

/** Decoders for files of common formats that libvips could not read. SVG drawings have none. */
const rescuers: Readonly<Record<string, Decoders>> = {
  jpg: [magick(jpeg), pillow('JPEG', 'MPO')],
  png: [magick(png), pillow('PNG')],
  webp: [magick(coder('webp')), pillow('WEBP')],
  avif: [magick(coder('avif', 'HEIC')), ffmpeg('mov')],
  gif: [magick(coder('gif')), pillow('GIF')],
  tiff: [magick(coder('tiff')), pillow('TIFF')],
}

/** The decoders to try if libvips could not read a file of this format. */
export function findRescuers(format: string): Decoders | undefined {
  return Object.hasOwn(rescuers, format) ? rescuers[format] : undefined
}
