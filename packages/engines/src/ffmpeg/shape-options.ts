import { mediaLimits } from '../media/limits.ts'
import { booleanOption, enumOption, integerOption, numberOption, textOption } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { boxOptions, thumbnailQuality } from '../thumbnail/thumbnail-options.ts'
import { timePattern } from './times.ts'

/** The syntax of points in time. */
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
  timeOption('start', 'Start', 'Start of the result. Default: the start of the input.'),
  timeOption('end', 'End', 'End of the result. Default: the end of the input.'),
]

export const width = integerOption(
  {
    name: 'width',
    label: 'Width',
    hint: 'Width of the result. If only one side is set, the other keeps the proportions.',
    units: 'px',
  },
  { min: 2, max: mediaLimits.side },
)

export const height = integerOption(
  {
    name: 'height',
    label: 'Height',
    hint: 'Height of the result. If only one side is set, the other keeps the proportions.',
    units: 'px',
  },
  { min: 2, max: mediaLimits.side },
)

export const fit = enumOption(
  { name: 'fit', label: 'Fit', hint: 'How the image is fitted when both width and height are set.' },
  {
    inside: 'Fit inside, no cropping',
    cover: 'Cover both sides and crop',
    fill: 'Stretch',
    pad: 'Fit inside, add black borders',
  },
  'inside',
)

export const rotate = enumOption(
  {
    name: 'rotate',
    label: 'Rotate',
    hint: 'Rotate the image clockwise, after the orientation stored in the file is applied.',
  },
  { '0': 'No rotation', '90': '90 degrees clockwise', '180': '180 degrees', '270': '270 degrees clockwise' },
  '0',
)

/** Frames per second; as in the source if omitted. */
export const fps = numberOption(
  { name: 'fps', label: 'Frame rate', hint: 'Frames per second. Default: as in the input.', units: 'fps' },
  { min: 0.1, max: mediaLimits.framesPerSecond },
)

/** Whether metadata, chapters and cover images are removed. */
export const strip = booleanOption(
  { name: 'strip', label: 'Strip metadata', hint: 'Remove metadata such as title, artist, location and chapters.' },
  false,
)

/** Whether audio is removed from a video. */
export const removeAudio = booleanOption(
  { name: 'remove_audio', label: 'Remove audio', hint: 'Remove all audio.' },
  false,
)

const frameShape = [
  timeOption('time', 'Time', 'Position of the frame to save. Default: the first frame.'),
  numberOption(
    {
      name: 'every',
      label: 'Every',
      hint: 'Save an image at this interval, starting at time, instead of a single image.',
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
  { name: 'quality', label: 'Quality', hint: 'Quality (1-100). Higher looks better and makes the file larger.' },
  { min: 1, max: 100, byDefault: 90 },
)

/** One or several frames of a video as images. */
export const frameOptions = { jpg: [...frameShape, quality], png: frameShape } as const

const framePlace = timeOption(
  'time',
  'Time',
  'Position of the frame to show. Default: a frame that is neither dark, uniform nor blurred.',
)

/** A small image of a video. */
export const frameThumbnailOptions = {
  jpg: [...boxOptions, thumbnailQuality, framePlace],
  png: [...boxOptions, framePlace],
} as const

/** A small image of the waveform. */
export const waveThumbnailOptions = { jpg: boxOptions, png: boxOptions } as const
