import { type Container, tableOf, videoContainerNames, videoContainers } from '../media/containers.ts'
import { presets, type VideoCodecName, videoCodec } from '../media/video-codecs.ts'
import {
  booleanOption,
  enumOption,
  integerOption,
  type OptionCondition,
  type OptionDescriptor,
} from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { soundOptions } from './audio-options.ts'
import { fit, fps, height, removeAudio, rotate, spanOptions, strip, width } from './shape-options.ts'

const twoPass = booleanOption(
  {
    name: 'two_pass',
    label: 'Two passes',
    hint: 'Encode in two passes for better quality at the same bit rate: video_bitrate, or the bit rate of the input.',
  },
  false,
)

const videoBitrate = integerOption(
  {
    name: 'video_bitrate',
    label: 'Video bit rate',
    hint: 'Average video bit rate. With crf: the maximum bit rate.',
    units: 'kbit/s',
  },
  { min: 10, max: 200_000 },
)

function subtitles({ subtitles: kind }: Container) {
  const about = { name: 'subtitles', label: 'Subtitles', hint: 'What to do with text subtitles.' } as const
  const choices = { none: 'Remove them', burn: 'Burn the first track into the video' }
  if (kind === undefined) return enumOption(about, choices, 'none')
  return enumOption(about, { keep: 'Keep them as tracks', ...choices }, 'keep')
}

/** The options for the video encoders of a container. */
export function encoderOptions({ video }: Container) {
  const [first, ...others] = video
  if (first === undefined) return []
  const labels = tableOf(video, (name) => videoCodec(name).label)
  const auto = `Codec of the input if the format supports it (copied without encoding where possible), otherwise ${first}`
  const codec = enumOption(
    { name: 'video_codec', label: 'Video codec', hint: 'Video codec.' },
    { auto, ...labels },
    'auto',
  )
  return [...(others.length > 0 ? [codec] : []), ...qualityOptions(video), ...presetOption(video)]
}

function qualityOptions(codecs: readonly VideoCodecName[]) {
  const byCrf = codecs.filter((name) => videoCodec(name).quality.kind === 'crf')
  const byScale = codecs.filter((name) => videoCodec(name).quality.kind === 'scale')
  return [
    ...(byCrf.length > 0 ? [crf(byCrf, conditions(codecs, byCrf))] : []),
    ...(byScale.length > 0 ? [quality(conditions(codecs, byScale))] : []),
  ]
}

function crf(codecs: readonly VideoCodecName[], conditions: readonly OptionCondition[]) {
  const scales = codecs.map((name) => ({ name, scale: videoCodec(name).quality }))
  const defaults = scales.flatMap(({ name, scale }) => (scale.kind === 'crf' ? `${name} ${scale.byDefault}` : []))
  const max = Math.max(...scales.map(({ scale }) => (scale.kind === 'crf' ? scale.max : 0)))
  const hint = `Constant quality: lower is better and larger. When left out: ${defaults.join(', ')}.`
  const option = integerOption({ name: 'crf', label: 'Quality (CRF)', hint, conditions }, { min: 0, max })
  const ranges = scales.flatMap(({ name, scale }) =>
    scale.kind === 'crf' && scale.max < max ? [{ name: 'video_codec', value: name, min: 0, max: scale.max }] : [],
  )
  return ranges.length === 0 ? option : { ...option, properties: { min: 0, max, ranges } }
}

function quality(conditions: readonly OptionCondition[]) {
  const hint = 'Quality of every frame. Higher looks better and makes the file larger.'
  return integerOption({ name: 'quality', label: 'Quality', hint, conditions }, { min: 1, max: 100 })
}

function presetOption(codecs: readonly VideoCodecName[]) {
  const able = codecs.filter((name) => videoCodec(name).presets !== undefined)
  if (able.length === 0) return []
  const hint =
    'How much time the encoder spends. Slower presets make smaller files. Default: medium. Setting it encodes the video again.'
  const about = { name: 'preset', label: 'Preset', hint } as const
  return [enumOption({ ...about, conditions: conditions(codecs, able) }, presets)]
}

// An option that only some codecs support conflicts with the choice of another codec. Without a choice, the plan checks
// it.
function conditions(all: readonly VideoCodecName[], able: readonly VideoCodecName[]): readonly OptionCondition[] {
  if (able.length === all.length) return []
  const meta = [
    ...able.map((value) => ({ value, label: videoCodec(value).label })),
    { value: 'auto', label: 'Chosen by the input' },
  ]
  return [{ name: 'video_codec', required: false, meta }]
}

function toVideoOptions(container: Container) {
  return [
    ...encoderOptions(container),
    videoBitrate,
    twoPass,
    width,
    height,
    fit,
    fps,
    rotate,
    ...soundOptions(container),
    removeAudio,
    ...spanOptions,
    subtitles(container),
    strip,
    strict,
  ]
}

/** The options for a conversion to each video container. */
export const videoOptions = tableOf(videoContainerNames, (name) => toVideoOptions(videoContainers[name]))

/** The same for sources without audio and subtitles. */
export const silentOptions = tableOf(videoContainerNames, (name) => withoutSound(videoOptions[name]))

function withoutSound<Option extends OptionDescriptor>(options: readonly Option[]): readonly Option[] {
  const sound = ['audio_codec', 'audio_bitrate', 'sample_rate', 'channels', 'volume', 'normalize', 'loudness']
  return options.filter(({ name }) => ![...sound, 'remove_audio', 'subtitles'].includes(name))
}
