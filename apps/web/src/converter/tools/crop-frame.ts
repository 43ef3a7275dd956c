/** A part of an image, in its pixels. */
export interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** The corner of a frame that is moved. */
export interface Corner {
  readonly isLeft: boolean
  readonly isTop: boolean
}

/** A frame of whole pixels inside the image. */
export function fitFrame(frame: Frame, { width, height }: Size): Frame {
  const x = clamp(Math.round(frame.x), 0, width - 1)
  const y = clamp(Math.round(frame.y), 0, height - 1)
  return {
    x,
    y,
    width: clamp(Math.round(frame.width), 1, width - x),
    height: clamp(Math.round(frame.height), 1, height - y),
  }
}

/** Moves a frame: it stops at the edges and keeps its size. */
export function moveFrame(frame: Frame, dx: number, dy: number, { width, height }: Size): Frame {
  return {
    ...frame,
    x: clamp(Math.round(frame.x + dx), 0, width - frame.width),
    y: clamp(Math.round(frame.y + dy), 0, height - frame.height),
  }
}

/** Moves one corner of a frame: the opposite corner stays. */
export function stretchFrame(frame: Frame, corner: Corner, dx: number, dy: number, size: Size): Frame {
  const [x, width] = stretch(frame.x, frame.width, corner.isLeft, dx, size.width)
  const [y, height] = stretch(frame.y, frame.height, corner.isTop, dy, size.height)
  return { x, y, width, height }
}

function stretch(from: number, length: number, movesStart: boolean, by: number, most: number): [number, number] {
  if (!movesStart) return [from, clamp(Math.round(length + by), 1, most - from)]
  const start = clamp(Math.round(from + by), 0, from + length - 1)
  return [start, from + length - start]
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
