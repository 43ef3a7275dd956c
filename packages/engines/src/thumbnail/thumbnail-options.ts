import { integerOption } from '../option-descriptor.ts'

/** The longest side of a thumbnail, in pixels. */
export const longestSide = 2000

/** The default width and height of the box that a thumbnail fits into. */
export const usualSide = 320

function side(name: 'width' | 'height') {
  const label = name === 'width' ? 'Width' : 'Height'
  const hint = `Largest ${name} of the thumbnail. It keeps the proportions of the file.`
  return integerOption({ name, label, hint, units: 'px' }, { min: 16, max: longestSide, byDefault: usualSide })
}

/** The options of every thumbnail. */
export const boxOptions = [side('width'), side('height')]

/** The quality of a lossy thumbnail. */
export const thumbnailQuality = integerOption(
  { name: 'quality', label: 'Quality', hint: 'Image quality (1-100). Higher looks better and makes the file larger.' },
  { min: 1, max: 100, byDefault: 80 },
)

/** Which page of a document or of a file with several images is shown. */
export const pageOption = integerOption(
  { name: 'page', label: 'Page', hint: 'Number of the page to show, from 1.' },
  { min: 1, max: 10_000, byDefault: 1 },
)

/** Adds the default values. */
export function withUsual<Options>(options: Options) {
  return { width: usualSide, height: usualSide, quality: Number(thumbnailQuality.default_value), ...options }
}
