import { mediaLimits } from '../media/limits.ts'
import { booleanOption, enumOption, integerOption, numberOption, textOption } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { boxOptions, thumbnailQuality } from '../thumbnail/thumbnail-options.ts'
import { timePattern } from './times.ts'

/** How points in time are written. */
export const timeForm = 'In seconds (83.5) or as h:mm:ss.mmm (0:01:23.500).'

function timeOption<const Name extends string>(name: Name, label: string, hint: string) {
  return textOption(
    { name, label, hint: `${hint} ${timeForm}` },
    {
      pattern: timePattern,
      maxLength: 16,
      expects: 'a time in seconds such as 83.5, or as h:mm:ss such as 0:01:23.500',
    },
  )
}

/** The part of a recording that is kept. */
export const spanOptions = [
  timeOption('start', 'Start', 'Where the result begins; the beginning when left out.'),
  timeOption('end', 'End', 'Where the result ends; the end when left out.'),
]

export const width = integerOption(
  { name: 'width', label: 'Width', hint: 'Width of the result. The other side follows.', units: 'px' },
  { min: 2, max: mediaLimits.side },
)

export const height = integerOption(
  { name: 'height', label: 'Height', hint: 'Height of the result. The other side follows.', units: 'px' },
  { min: 2, max: mediaLimits.side },
)

export const fit = enumOption(
  { name: 'fit', label: 'Fit', hint: 'How the picture fills width and height when both are given.' },
  {
    inside: 'As large as possible within both, nothing cut',
    cover: 'Exactly both, the rest cut off',
    fill: 'Exactly both, stretched',
    pad: 'Exactly both, with black borders',
  },
  'inside',
)

export const rotate = enumOption(
  { name: 'rotate', label: 'Rotate', hint: 'Turns the picture clockwise, after its own orientation is applied.' },
  { '0': 'Not at all', '90': 'A quarter', '180': 'Half', '270': 'Three quarters' },
  '0',
)

/** Frames a second, as the source has them when left out. */
export const fps = numberOption(
  { name: 'fps', label: 'Frame rate', hint: 'Frames a second; as in the input when left out.', units: 'fps' },
  { min: 0.1, max: mediaLimits.framesPerSecond },
)

/** Whether everything that is no picture and no sound is dropped. */
export const strip = booleanOption(
  { name: 'strip', label: 'Strip metadata', hint: 'Drops title, artist, place, chapters and the like.' },
  false,
)

/** Whether a video is made silent. */
export const removeAudio = booleanOption(
  { name: 'remove_audio', label: 'Remove audio', hint: 'Leaves out all sound.' },
  false,
)

const frameShape = [
  timeOption('time', 'Time', 'Which moment becomes the picture; the first when left out.'),
  numberOption(
    {
      name: 'every',
      label: 'Every',
      hint: 'A picture every so many seconds, from `time` on, instead of one alone.',
      units: 's',
    },
    { min: 0.01, max: mediaLimits.seconds },
  ),
  width,
  height,
  fit,
  rotate,
  strict,
]

const quality = integerOption(
  { name: 'quality', label: 'Quality', hint: 'Higher looks better, lower is smaller.' },
  { min: 1, max: 100, byDefault: 90 },
)

/** A frame or several out of a recording, as pictures. */
export const frameOptions = { jpg: [...frameShape, quality], png: frameShape } as const

const framePlace = timeOption(
  'time',
  'Time',
  'Which moment is shown. Default: a frame that is neither dark, uniform nor blurred.',
)

/** A small image of a video. */
export const frameThumbnailOptions = {
  jpg: [...boxOptions, thumbnailQuality, framePlace],
  png: [...boxOptions, framePlace],
} as const

/** A small image of how loud a recording is. */
export const waveThumbnailOptions = { jpg: boxOptions, png: boxOptions } as const
