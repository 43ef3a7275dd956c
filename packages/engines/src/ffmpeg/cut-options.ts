import { enumOption, integerOption, type OptionDescriptor } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { imageMarkOptions } from '../watermark/options.ts'
import { tableOf, videoContainerNames, videoContainers } from './containers.ts'
import { mediaLimits } from './limits.ts'
import { spanOptions } from './shape-options.ts'
import { encoderOptions } from './video-options.ts'

const mode = enumOption(
  { name: 'mode', label: 'Mode', hint: 'How exactly the cut is made.' },
  {
    exact: 'At the very moment; what is kept is encoded anew',
    fast: 'At the key frame before it, without encoding: at once and without loss',
  },
  'exact',
)

/** The part of a recording that a trim keeps. */
export const soundTrimOptions: readonly OptionDescriptor[] = [...spanOptions, mode, strict]

/** The same for animations, which are always cut exactly. */
export const animationTrimOptions: readonly OptionDescriptor[] = [...spanOptions, strict]

/** The same for moving pictures, which may have to be encoded. */
export const videoTrimOptions = tableOf(videoContainerNames, (name): readonly OptionDescriptor[] => [
  ...soundTrimOptions,
  ...gradeOptions(name),
])

function side(name: string, label: string, hint: string, range: { min: number; byDefault?: number }): OptionDescriptor {
  return integerOption({ name, label, hint, units: 'px' }, { max: mediaLimits.side, ...range })
}

const area: readonly OptionDescriptor[] = [
  side('x', 'X', 'Distance of the kept area from the left edge.', { min: 0, byDefault: 0 }),
  side('y', 'Y', 'Distance of the kept area from the top edge.', { min: 0, byDefault: 0 }),
  side('width', 'Width', 'Width of the kept area; to the right edge when left out.', { min: 2 }),
  side('height', 'Height', 'Height of the kept area; to the bottom edge when left out.', { min: 2 }),
]

/** The part of the picture that a crop keeps, and how finely it is encoded. */
export const cropOptions = tableOf(videoContainerNames, (name): readonly OptionDescriptor[] => [
  ...area,
  ...gradeOptions(name),
  strict,
])

/** What is placed on the picture, and how finely it is encoded. */
export const watermarkOptions = tableOf(videoContainerNames, (name): readonly OptionDescriptor[] => [
  ...imageMarkOptions,
  ...gradeOptions(name),
  strict,
])

function gradeOptions(name: (typeof videoContainerNames)[number]): readonly OptionDescriptor[] {
  return encoderOptions(videoContainers[name])
}
