import { audioCodec } from '../media/audio-codecs.ts'
import {
  audioContainerNames,
  audioContainers,
  tableOf,
  videoContainerNames,
  videoContainers,
} from '../media/containers.ts'
import { integerOption, numberOption } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { bitrateOption, shape } from './audio-options.ts'
import { fps, height, removeAudio, strip, width } from './shape-options.ts'
import { encoderOptions } from './video-options.ts'

const targetSize = integerOption(
  {
    name: 'target_size',
    label: 'Target size',
    hint: 'Maximum size of the result in bytes.',
    units: 'B',
  },
  { min: 1000, max: 20 * 1024 ** 3 },
)

const percent = numberOption(
  {
    name: 'percent',
    label: 'Percent',
    hint: 'Maximum size of the result as a percentage of the input. If target_size is also set, the smaller one applies.',
    units: '%',
  },
  { min: 1, max: 99 },
)

const aims = [targetSize, percent]

/** The options for compressing each video format. */
export const videoCompressOptions = tableOf(videoContainerNames, (name) => [
  ...aims,
  ...encoderOptions(videoContainers[name]),
  width,
  height,
  fps,
  ...bitrateOption(videoContainers[name].audio.slice(0, 1)),
  removeAudio,
  strip,
  strict,
])

/** The options for compressing each audio format. A target size needs a codec with a bit rate. */
export const audioCompressOptions = tableOf(audioContainerNames, (name) => {
  const codecs = audioContainers[name].audio
  const isLossy = codecs.some((codec) => audioCodec(codec).kbps !== undefined)
  return [...(isLossy ? aims : []), ...bitrateOption(codecs.slice(0, 1)), ...shape(codecs), strip, strict]
})
