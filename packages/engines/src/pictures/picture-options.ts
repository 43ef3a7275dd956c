import { booleanOption, enumOption, integerOption, numberOption } from '../option-descriptor.ts'
import { pageWayOptions, pageWays, waysToSplit } from '../split/ways.ts'
import { strict } from '../strict-option.ts'
import { colourOption } from './colours.ts'
import { pictureLimits } from './limits.ts'

/** The longest side a picture may be resized to: what WebP can hold. */
const maxSide = 16_383

/** Whether to drop everything that is not the picture. */
export const strip = booleanOption(
  { name: 'strip', label: 'Strip metadata', hint: 'Strips profiles, EXIF and comments to reduce size.' },
  true,
)

/** Size and turn, for every conversion between pictures. */
export const shapeOptions = [
  integerOption(
    { name: 'width', label: 'Width', hint: 'Width of the result. The other side follows.', units: 'px' },
    { min: 1, max: maxSide },
  ),
  integerOption(
    { name: 'height', label: 'Height', hint: 'Height of the result. The other side follows.', units: 'px' },
    { min: 1, max: maxSide },
  ),
  enumOption(
    { name: 'fit', label: 'Fit', hint: 'How the picture fills width and height when both are given.' },
    {
      inside: 'As large as possible within both, nothing cut',
      outside: 'As small as possible covering both, nothing cut',
      cover: 'Exactly both, the rest cut off',
      fill: 'Exactly both, stretched',
    },
    'inside',
  ),
  enumOption(
    { name: 'rotate', label: 'Rotate', hint: 'Turns the picture clockwise, after its own orientation is applied.' },
    { '0': 'Not at all', '90': 'A quarter', '180': 'Half', '270': 'Three quarters' },
    '0',
  ),
]

/** What shows through transparent parts where the output has none. */
export const background = colourOption(
  { name: 'background', label: 'Background', hint: 'Fills transparent parts: the output format has no transparency.' },
  { byDefault: 'white' },
)

/** How finely a drawing becomes pixels. */
export const density = densityOption('Resolution at which the drawing becomes pixels. 72 is its nominal size.', 72)

/** A drawing on a page is looked at closely and printed. */
export const effectDensity = densityOption(
  'Resolution of effects that a PDF has only as pixels, such as blurs. Lines and text stay sharp at any size.',
  300,
)

function densityOption(hint: string, byDefault: number) {
  return integerOption({ name: 'density', label: 'Density', hint, units: 'dpi' }, { min: 1, max: 2400, byDefault })
}

/** The part of a picture that a crop keeps. */
export const cropOptions = [
  cropOption('x', 'Distance of the kept area from the left edge.', { min: 0, byDefault: 0 }),
  cropOption('y', 'Distance of the kept area from the top edge.', { min: 0, byDefault: 0 }),
  cropOption('width', 'Width of the kept area; to the right edge when left out.', { min: 1 }),
  cropOption('height', 'Height of the kept area; to the bottom edge when left out.', { min: 1 }),
]

function cropOption(name: 'x' | 'y' | 'width' | 'height', hint: string, range: { min: number; byDefault?: number }) {
  const label = name.length === 1 ? name.toUpperCase() : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return integerOption({ name, label, hint, units: 'px' }, { max: 268_402_689, ...range })
}

/** How pictures become the frames of a GIF. */
export const gifMergeOptions = [
  integerOption(
    { name: 'delay', label: 'Delay', hint: 'How long each frame is shown.', units: 'ms' },
    { min: 10, max: 655_350, byDefault: 100 },
  ),
  integerOption(
    { name: 'loop', label: 'Loop', hint: 'How often the animation plays; 0 is forever.' },
    { min: 0, max: 65_535, byDefault: 0 },
  ),
  integerOption(
    { name: 'width', label: 'Width', hint: "Width of the animation; the first picture's when left out.", units: 'px' },
    { min: 1, max: maxSide },
  ),
  integerOption(
    {
      name: 'height',
      label: 'Height',
      hint: "Height of the animation; the first picture's when left out.",
      units: 'px',
    },
    { min: 1, max: maxSide },
  ),
  enumOption(
    { name: 'fit', label: 'Fit', hint: 'How a picture of another size fills the frame.' },
    { contain: 'Whole, with a border', cover: 'Filling, the rest cut off', fill: 'Filling, stretched' },
    'contain',
  ),
  colourOption(
    { name: 'background', label: 'Background', hint: 'Fills borders and transparent parts.' },
    { byDefault: 'white', also: ['transparent'] },
  ),
  strict,
]

/** The part of an animation that a trim keeps. */
export const trimOptions = [
  numberOption(
    { name: 'start', label: 'Start', hint: 'Where the kept part begins.', units: 's' },
    { min: 0, max: 86_400, byDefault: 0 },
  ),
  numberOption(
    { name: 'end', label: 'End', hint: 'Where the kept part ends; at the end when left out.', units: 's' },
    { min: 0, max: 86_400 },
  ),
]

const { by, onlyBy } = waysToSplit(pageWays, 'pages')

/** Where an image of several pages is split. */
export const splitOptions = [by, ...pageWayOptions(onlyBy, pictureLimits.splitPages), strict]
