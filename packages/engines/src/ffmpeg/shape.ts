import { shownSize, type VideoStream } from './media.ts'
import type { MediaSettings } from './media-settings.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** The filters that change the image, built from numbers only, and the resulting size. */
export interface Shape extends Size {
  readonly filters: readonly string[]
}

export interface ShapeRules {
  /** Whether both sides must be even, as required by encoders that store color at half the size. */
  readonly isEven: boolean
  /** Whether pixels must be square, as in still images. */
  readonly isSquare: boolean
  /** The only supported sizes. */
  readonly sizes?: readonly (readonly [width: number, height: number])[] | undefined
}

type Fitting = Pick<MediaSettings, 'width' | 'height' | 'fit' | 'turns'>

/** Plans rotation, size and borders of the image. FFmpeg itself applies the orientation stored in a file. */
export function planShape(video: VideoStream, settings: Fitting, rules: ShapeRules): Shape {
  const { turns } = settings
  const shown = turned(shownSize(video), turns)
  const stored = turned({ width: video.width, height: video.height }, video.turns + turns)
  const turn = turnFilters(turns)
  const wanted = rules.sizes ? { ...nearest(rules.sizes, settings, shown), fit: 'pad' as const } : settings
  if (wanted.width === undefined && wanted.height === undefined && !(rules.isSquare && video.pixelAspect !== 1)) {
    const kept = evened(stored, rules)
    const cut = kept.width === stored.width && kept.height === stored.height ? [] : [`crop=${box(kept)}:0:0`]
    return { ...kept, filters: [...turn, ...cut] }
  }
  const { filters, ...size } = fitted(shown, wanted, rules)
  return { ...size, filters: [...turn, ...filters] }
}

function turned({ width, height }: Size, turns: number): Size {
  return turns % 2 === 1 ? { width: height, height: width } : { width, height }
}

function turnFilters(turns: number): readonly string[] {
  return [[], ['transpose=clock'], ['hflip', 'vflip'], ['transpose=cclock']][turns] ?? []
}

/** The smallest supported size that covers the wanted size, or else the largest. */
function nearest(sizes: NonNullable<ShapeRules['sizes']>, { width, height }: Fitting, shown: Size): Size {
  const [wide, high] = [width ?? shown.width, height ?? shown.height]
  const found = sizes.find(([w, h]) => w >= wide && h >= high) ?? sizes.at(-1)
  return { width: found?.[0] ?? wide, height: found?.[1] ?? high }
}

function fitted(from: Size, { width, height, fit }: Omit<Fitting, 'turns'>, rules: ShapeRules): Shape {
  if (width === undefined || height === undefined) {
    const ratio = width === undefined ? (height ?? from.height) / from.height : width / from.width
    return scaled(evened(times(from, ratio), rules))
  }
  const box = evened({ width, height }, rules)
  if (fit === 'fill') return scaled(box)
  const [across, down] = [box.width / from.width, box.height / from.height]
  const inner = evened(times(from, fit === 'cover' ? Math.max(across, down) : Math.min(across, down)), rules)
  if (fit === 'inside') return scaled(inner)
  return fit === 'cover' ? covered(inner, box) : padded(inner, box)
}

function scaled(size: Size): Shape {
  return { ...size, filters: [`scale=${box(size)}`, 'setsar=1'] }
}

// Rounding may make the scaled image a pixel smaller than the box it must cover.
function covered(inner: Size, outer: Size): Shape {
  const size = { width: Math.max(inner.width, outer.width), height: Math.max(inner.height, outer.height) }
  const [x, y] = [Math.floor((size.width - outer.width) / 2), Math.floor((size.height - outer.height) / 2)]
  return { ...outer, filters: [...scaled(size).filters, `crop=${box(outer)}:${x}:${y}`] }
}

function padded(inner: Size, outer: Size): Shape {
  const size = { width: Math.min(inner.width, outer.width), height: Math.min(inner.height, outer.height) }
  const [x, y] = [Math.floor((outer.width - size.width) / 2), Math.floor((outer.height - size.height) / 2)]
  return { ...outer, filters: [...scaled(size).filters, `pad=${box(outer)}:${x}:${y}`] }
}

function times({ width, height }: Size, ratio: number): Size {
  return { width: Math.round(width * ratio), height: Math.round(height * ratio) }
}

function evened({ width, height }: Size, { isEven }: ShapeRules): Size {
  const side = (length: number) => (isEven ? Math.max(2, length - (length % 2)) : Math.max(1, length))
  return { width: side(width), height: side(height) }
}

function box({ width, height }: Size): string {
  return `${width}:${height}`
}
