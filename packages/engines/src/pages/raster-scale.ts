import { type Failure, failure } from '@lathe/domain'
import { pdfLimits } from './limits.ts'
import { type DrawOptions, usualDpi } from './options.ts'
import type { PageSize, PdfInfo } from './probe.ts'

/** How large a page is drawn, as arguments of poppler. */
export interface Scale {
  readonly args: readonly string[]
}

type Size = Pick<DrawOptions, 'dpi' | 'width' | 'height'>

/** The scale of each requested page, or a failure if one would be too large. */
export function pageScales(
  asked: Size,
  { info, pages }: { info: PdfInfo; pages: readonly number[] },
): { scales: ReadonlyMap<number, Scale>; warnings: readonly string[] } | Failure {
  const scales = new Map<number, Scale>()
  let isReduced = false
  const empty: number[] = []
  for (const page of pages) {
    const size = info.pages[page - 1]
    if (size === undefined || isEmpty(size)) {
      empty.push(page)
      continue
    }
    const sides = asked.width || asked.height ? toBox(asked, size) : toDpi(asked.dpi ?? usualDpi, size)
    if (isWithin(sides.pixels)) scales.set(page, sides)
    else if (isAskedFor(asked)) return tooLarge(page, sides.pixels)
    else {
      isReduced = true
      scales.set(page, { args: ['-scale-to', String(pdfLimits.side)] })
    }
  }
  if (scales.size === 0) return failure('input_damaged', { detail: `page ${empty[0]} has no size` })
  return { scales, warnings: [...(isReduced ? [reduced] : []), ...empty.slice(0, 10).map(leftOut)] }
}

// Passing the default value is the same as leaving the option out.
function isAskedFor({ dpi = usualDpi, width, height }: Size): boolean {
  return dpi !== usualDpi || width !== undefined || height !== undefined
}

const reduced = `Pages that would be longer than ${pdfLimits.side} pixels at ${usualDpi} dpi were scaled down to that.`

const leftOut = (page: number) => `Page ${page} has no size and was left out.`

/** Whether a page has nothing to draw: its width or height is missing. */
export function isEmpty({ width, height }: PageSize): boolean {
  return !(width > 0 && height > 0)
}

interface Sides extends Scale {
  readonly pixels: PageSize
}

function toDpi(dpi: number, { width, height }: PageSize): Sides {
  const pixels = { width: Math.ceil((width * dpi) / 72), height: Math.ceil((height * dpi) / 72) }
  return { args: ['-r', String(dpi)], pixels }
}

// The side that limits the scale is set exactly; the other follows from the proportions.
function toBox(asked: Size, { width, height }: PageSize): Sides {
  const { width: across = Number.POSITIVE_INFINITY, height: up = Number.POSITIVE_INFINITY } = asked
  const isWide = across / width <= up / height
  const args = isWide
    ? ['-scale-to-x', `${across}`, '-scale-to-y', '-1']
    : ['-scale-to-x', '-1', '-scale-to-y', `${up}`]
  const by = Math.min(across / width, up / height)
  return { args, pixels: { width: Math.ceil(width * by), height: Math.ceil(height * by) } }
}

function isWithin({ width, height }: PageSize): boolean {
  return width <= pdfLimits.side && height <= pdfLimits.side
}

function tooLarge(page: number, { width, height }: PageSize): Failure {
  const text = `Page ${page} would be ${width} x ${height} pixels; the limit is ${pdfLimits.side} per side. Choose a smaller dpi, width or height.`
  return failure('limit_exceeded', { text })
}
