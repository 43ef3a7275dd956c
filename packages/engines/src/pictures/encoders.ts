import type { Coder } from './policy.ts'

/** How a format is written from an image that the image runner prepared. */
export interface Encoder {
  readonly coder: Coder | 'jxl'
  /** Whether transparent parts must be filled first. */
  readonly isOpaque: boolean
  /** Whether it holds more than 8 bits per channel, and is chosen for that. */
  readonly isDeep: boolean
  /** The longest side it can hold. */
  readonly maxSide: number
}

const coder = (name: string, module = name.toUpperCase()): Coder => ({ name, module })

function encoder(own: Coder | 'jxl', more: Partial<Encoder> = {}): Encoder {
  return { coder: own, isOpaque: false, isDeep: false, maxSide: 65_535, ...more }
}

const opaque = { isOpaque: true }

/** The formats written here. */
export const encoders = {
  heic: encoder(coder('heic'), { maxSide: 16_384 }),
  jxl: encoder('jxl'),
  jp2: encoder(coder('jp2')),
  bmp: encoder(coder('bmp'), opaque),
  ico: encoder(coder('ico', 'ICON'), { maxSide: 256 }),
  psd: encoder(coder('psd'), { maxSide: 30_000 }),
  tga: encoder(coder('tga')),
  exr: encoder(coder('exr'), { isDeep: true }),
  hdr: encoder(coder('hdr'), { ...opaque, isDeep: true }),
  dds: encoder(coder('dds'), { maxSide: 16_384 }),
  ppm: encoder(coder('ppm', 'PNM'), opaque),
  pgm: encoder(coder('pgm', 'PNM'), opaque),
  pbm: encoder(coder('pbm', 'PNM'), opaque),
  pam: encoder(coder('pam', 'PNM')),
  pcx: encoder(coder('pcx'), opaque),
  qoi: encoder(coder('qoi')),
  sgi: encoder(coder('sgi')),
  aai: encoder(coder('aai')),
  avs: encoder(coder('avs')),
  dcx: encoder(coder('dcx', 'PCX'), opaque),
  dpx: encoder(coder('dpx'), opaque),
  ff: encoder(coder('farbfeld'), { isDeep: true }),
  fl32: encoder(coder('fl32'), { ...opaque, isDeep: true }),
  ipl: encoder(coder('ipl'), opaque),
  jbg: encoder(coder('jbig'), opaque),
  jng: encoder(coder('jng', 'PNG')),
  mng: encoder(coder('mng', 'PNG')),
  mtv: encoder(coder('mtv'), opaque),
  pdb: encoder(coder('pdb'), opaque),
  pfm: encoder(coder('pfm', 'PNM'), { ...opaque, isDeep: true }),
  pgx: encoder(coder('pgx'), opaque),
  phm: encoder(coder('phm', 'PNM'), { ...opaque, isDeep: true }),
  pict: encoder(coder('pict'), opaque),
  ras: encoder(coder('sun'), opaque),
  vicar: encoder(coder('vicar'), opaque),
  viff: encoder(coder('viff')),
  vips: encoder(coder('vips')),
  wbmp: encoder(coder('wbmp'), opaque),
  xbm: encoder(coder('xbm'), opaque),
  xpm: encoder(coder('xpm')),
  xwd: encoder(coder('xwd'), opaque),
} as const satisfies Record<string, Encoder>

export type Writable = keyof typeof encoders

export const writable = Object.keys(encoders) as Writable[]

export function findEncoder(format: string): Encoder | undefined {
  return Object.hasOwn(encoders, format) ? encoders[format as Writable] : undefined
}
