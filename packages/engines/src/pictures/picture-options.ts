import { booleanOption, enumOption, integerOption, numberOption } from '../option-descriptor.ts'
import { pageMethodOptions, pageMethods, splitMethods } from '../split/methods.ts'
import { strict } from '../strict-option.ts'
import { colourOption } from './colours.ts'
import { pictureLimits } from './limits.ts'

/** The longest side that an image may be resized to: the limit of WebP. */
const maxSide = 16_383

/** Whether to remove all metadata. */
export const strip = booleanOption(
  { name: 'strip', label: 'Strip metadata', hint: 'Strips profiles, EXIF and comments to reduce size.' },
  true,
)

/** Size and rotation, for every conversion between images. */
export const shapeOptions = [
  integerOption(
    {
      name: 'width',
      label: 'Width',
      hint: 'Width of the result. If only one side is set, the other keeps the proportions.',
      units: 'px',
    },
    { min: 1, max: maxSide },
  ),
  integerOption(
    {
      name: 'height',
      label: 'Height',
      hint: 'Height of the result. If only one side is set, the other keeps the proportions.',
      units: 'px',
    },
    { min: 1, max: maxSide },
  ),
  enumOption(
    { name: 'fit', label: 'Fit', hint: 'How the image is fitted when both width and height are set.' },
    {
      inside: 'Fit inside, no cropping',
      outside: 'Cover both sides, no cropping',
      cover: 'Cover both sides and crop',
      fill: 'Stretch',
    },
    'inside',
  ),
  enumOption(
    {
      name: 'rotate',
      label: 'Rotate',
      hint: 'Rotate the image clockwise, after the orientation stored in the file is applied.',
    },
    { '0': 'No rotation', '90': '90 degrees clockwise', '180': '180 degrees', '270': '270 degrees clockwise' },
    '0',
  ),
]

/** The color behind transparent parts if the output has no transparency. */
export const background = colourOption(
  {
    name: 'background',
    label: 'Background',
    hint: 'Color behind transparent parts. The output format has no transparency.',
  },
  { byDefault: 'white' },
)

/** The resolution at which a drawing is rendered. */
export const density = densityOption(
  'Resolution at which the drawing is rendered. 72 renders it at its nominal size in pixels.',
  72,
)

/** Higher than for images: PDF pages are printed. */
export const effectDensity = densityOption(
  'Resolution of effects that cannot be vectors in a PDF, such as blurs. Lines and text are vectors.',
  300,
)

function densityOption(hint: string, byDefault: number) {
  return integerOption({ name: 'density', label: 'Density', hint, units: 'dpi' }, { min: 1, max: 2400, byDefault })
}

/** The area of an image that a crop keeps. */
export const cropOptions = [
  cropOption('x', 'Distance from the left edge to the area to keep.', { min: 0, byDefault: 0 }),
  cropOption('y', 'Distance from the top edge to the area to keep.', { min: 0, byDefault: 0 }),
  cropOption('width', 'Width of the area to keep. Default: up to the right edge.', { min: 1 }),
  cropOption('height', 'Height of the area to keep. Default: up to the bottom edge.', { min: 1 }),
]

function cropOption(name: 'x' | 'y' | 'width' | 'height', hint: string, range: { min: number; byDefault?: number }) {
  const label = name.length === 1 ? name.toUpperCase() : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return integerOption({ name, label, hint, units: 'px' }, { max: 268_402_689, ...range })
}

/** The options for making the frames of a GIF from images. */
export const gifMergeOptions = [
  integerOption(
    { name: 'delay', label: 'Delay', hint: 'How long each frame is shown.', units: 'ms' },
    { min: 10, max: 655_350, byDefault: 100 },
  ),
  integerOption(
    { name: 'loop', label: 'Loop', hint: 'How often the animation plays. 0 means forever.' },
    { min: 0, max: 65_535, byDefault: 0 },
  ),
  integerOption(
    {
      name: 'width',
      label: 'Width',
      hint: 'Width of the animation. Default: the width of the first image.',
      units: 'px',
    },
    { min: 1, max: maxSide },
  ),
  integerOption(
    {
      name: 'height',
      label: 'Height',
      hint: 'Height of the animation. Default: the height of the first image.',
      units: 'px',
    },
    { min: 1, max: maxSide },
  ),
  enumOption(
    { name: 'fit', label: 'Fit', hint: 'How images of another size are fitted into the frame.' },
    {
      contain: 'Fit inside, add borders',
      cover: 'Cover the frame and crop',
      fill: 'Stretch',
    },
    'contain',
  ),
  colourOption(
    { name: 'background', label: 'Background', hint: 'Color of borders and behind transparent parts.' },
    { byDefault: 'white', also: ['transparent'] },
  ),
  strict,
]

/** The part of an animation that a trim keeps. */
export const trimOptions = [
  numberOption(
    { name: 'start', label: 'Start', hint: 'Start of the part to keep.', units: 's' },
    { min: 0, max: 86_400, byDefault: 0 },
  ),
  numberOption(
    { name: 'end', label: 'End', hint: 'End of the part to keep. Default: the end of the file.', units: 's' },
    { min: 0, max: 86_400 },
  ),
]

const { by, onlyBy } = splitMethods(pageMethods, 'pages')

/** Where an image with several pages is split. */
export const splitOptions = [by, ...pageMethodOptions(onlyBy, pictureLimits.splitPages), strict]
