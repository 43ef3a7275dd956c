import { tableOf, videoContainerNames, videoContainers } from '../media/containers.ts'
import { mediaLimits } from '../media/limits.ts'
import { enumOption, integerOption, numberOption, textOption } from '../option-descriptor.ts'
import { splitMethods } from '../split/methods.ts'
import { strict } from '../strict-option.ts'
import { imageMarkOptions } from '../watermark/options.ts'
import { spanOptions, timeForm } from './shape-options.ts'
import { timesPattern } from './times.ts'
import { encoderOptions } from './video-options.ts'

const mode = enumOption(
  { name: 'mode', label: 'Mode', hint: 'How precise the cut is.' },
  {
    exact: 'Exact: the result is encoded again',
    fast: 'Fast and lossless: at the key frame before, without encoding',
  },
  'exact',
)

/** The options for trimming audio. */
export const soundTrimOptions = [...spanOptions, mode, strict]

/** The options for trimming animations, which are always cut exactly. */
export const animationTrimOptions = [...spanOptions, strict]

/** The options for trimming video, which may have to be encoded. */
export const videoTrimOptions = tableOf(videoContainerNames, (name) => [...soundTrimOptions, ...gradeOptions(name)])

const { by, onlyBy } = splitMethods(
  {
    time: 'After a number of seconds',
    points: 'At given times',
    silence: 'In the middle of every silence',
  },
  'time',
)

/** The options for splitting audio. */
export const soundSplitOptions = [
  by,
  numberOption(
    {
      name: 'seconds_per_file',
      label: 'Length',
      hint: 'Length of each file. The last file may be shorter.',
      units: 's',
      conditions: [onlyBy('time')],
    },
    { min: 1, max: 86_400, byDefault: 600 },
  ),
  textOption(
    {
      name: 'points',
      label: 'Points',
      hint: `Times at which to split, separated by commas, such as 1:30,4:05. ${timeForm}`,
      conditions: [onlyBy('points')],
    },
    {
      pattern: timesPattern,
      maxLength: 8500,
      expects: 'points in time separated by commas, such as 90,4:05,1:02:03.5',
    },
  ),
  integerOption(
    {
      name: 'silence_level',
      label: 'Silence below',
      hint: 'Level below which audio counts as silence.',
      units: 'dB',
      conditions: [onlyBy('silence')],
    },
    { min: -90, max: -10, byDefault: -40 },
  ),
  numberOption(
    {
      name: 'silence_seconds',
      label: 'Shortest silence',
      hint: 'Minimum length of a silence.',
      units: 's',
      conditions: [onlyBy('silence')],
    },
    { min: 0.1, max: 60, byDefault: 1 },
  ),
  mode,
  strict,
]

/** The options for splitting video, which may have to be encoded. */
export const videoSplitOptions = tableOf(videoContainerNames, (name) => [...soundSplitOptions, ...gradeOptions(name)])

type Side = 'x' | 'y' | 'width' | 'height'

function side(name: Side, label: string, hint: string, range: { min: number; byDefault?: number }) {
  return integerOption({ name, label, hint, units: 'px' }, { max: mediaLimits.side, ...range })
}

const area = [
  side('x', 'X', 'Distance from the left edge to the area to keep.', { min: 0, byDefault: 0 }),
  side('y', 'Y', 'Distance from the top edge to the area to keep.', { min: 0, byDefault: 0 }),
  side('width', 'Width', 'Width of the area to keep. Default: up to the right edge.', { min: 2 }),
  side('height', 'Height', 'Height of the area to keep. Default: up to the bottom edge.', { min: 2 }),
]

/** The area of the image that a crop keeps, and the quality of the encoding. */
export const cropOptions = tableOf(videoContainerNames, (name) => [...area, ...gradeOptions(name), strict])

/** The watermark on the video, and the quality of the encoding. */
export const watermarkOptions = tableOf(videoContainerNames, (name) => [
  ...imageMarkOptions,
  ...gradeOptions(name),
  strict,
])

function gradeOptions(name: (typeof videoContainerNames)[number]) {
  return encoderOptions(videoContainers[name])
}
