import { booleanOption, integerOption, numberOption, type OptionDescriptor, unlessNot } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { fit, height, rotate, spanOptions, width } from './shape-options.ts'

/** The defaults of an animation: small enough for a web page. */
export const animationDefaults = { fps: 10, width: 640 } as const

const fps = numberOption(
  { name: 'fps', label: 'Frame rate', hint: 'Frames per second.', units: 'fps' },
  { min: 0.1, max: 50, byDefault: animationDefaults.fps },
)

const loop = integerOption(
  { name: 'loop', label: 'Loop', hint: 'How often the animation plays. 0 means forever.' },
  { min: 0, max: 65_535, byDefault: 0 },
)

const wide = {
  ...width,
  hint: `Width of the result; that of the input, but at most ${animationDefaults.width}, when left out.`,
}

const shared = [fps, wide, height, fit, rotate, loop, ...spanOptions, strict]

const colours = integerOption(
  { name: 'colours', label: 'Colours', hint: 'Maximum number of colors in the palette.' },
  { min: 2, max: 256, byDefault: 256 },
)

const dither = booleanOption(
  { name: 'dither', label: 'Dither', hint: 'Use dithering for colors that are not in the palette.' },
  true,
)

const lossless = booleanOption({ name: 'lossless', label: 'Lossless', hint: 'Keep every pixel unchanged.' }, false)

const quality = integerOption(
  {
    name: 'quality',
    label: 'Quality',
    hint: 'Quality (1-100). Higher looks better and makes the file larger.',
    conditions: [unlessNot('lossless', 'false', 'Lossy')],
  },
  { min: 1, max: 100, byDefault: 75 },
)

/** The options for a conversion to an animation. */
export const animationOptions = {
  gif: [...shared, colours, dither],
  webp: [...shared, lossless, quality],
} as const satisfies Record<string, readonly OptionDescriptor[]>
