import { type AudioCodecName, audioCodec } from '../media/audio-codecs.ts'
import { audioContainerNames, audioContainers, type Container, tableOf } from '../media/containers.ts'
import {
  booleanOption,
  enumOption,
  integerOption,
  needs,
  numberOption,
  type OptionCondition,
} from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { spanOptions, strip } from './shape-options.ts'

const rates = [
  '8000',
  '11025',
  '12000',
  '16000',
  '22050',
  '24000',
  '32000',
  '44100',
  '48000',
  '88200',
  '96000',
  '192000',
] as const

const volume = numberOption(
  { name: 'volume', label: 'Volume', hint: 'Volume as a factor: 0.5 is half, 2 is double.' },
  { min: 0, max: 10, byDefault: 1 },
)

const normalize = booleanOption(
  { name: 'normalize', label: 'Normalize', hint: 'Normalize the loudness (EBU R 128).' },
  false,
)

const loudness = numberOption(
  {
    name: 'loudness',
    label: 'Loudness',
    hint: 'Target loudness: -23 for broadcast, about -16 for phones.',
    units: 'LUFS',
    conditions: [needs('normalize', [{ value: 'true', hint: 'Normalize' }])],
  },
  { min: -70, max: -5, byDefault: -23 },
)

/** The options for the audio in a container. */
export function soundOptions({ audio }: Pick<Container, 'audio'>) {
  return [...codecOption(audio), ...bitrateOption(audio), ...shape(audio), volume, normalize, loudness]
}

function codecOption([first, ...others]: readonly AudioCodecName[]) {
  if (first === undefined || others.length === 0) return []
  const labels = tableOf([first, ...others], (name) => audioCodec(name).label)
  const auto = `Codec of the input if the format supports it (copied without encoding where possible), otherwise ${first}`
  const about = { name: 'audio_codec', label: 'Audio codec', hint: 'Audio codec.' } as const
  return [enumOption(about, { auto, ...labels }, 'auto')]
}

/** The bit rate of lossy codecs; no option if all are lossless. */
export function bitrateOption(codecs: readonly AudioCodecName[]) {
  const lossy = codecs.filter((name) => audioCodec(name).kbps !== undefined)
  if (lossy.length === 0) return []
  const ranges = lossy.flatMap((name) => audioCodec(name).kbps ?? [])
  const range = { min: Math.min(...ranges.map(({ min }) => min)), max: Math.max(...ranges.map(({ max }) => max)) }
  const about = {
    name: 'audio_bitrate',
    label: 'Audio bit rate',
    hint: 'Audio bit rate.',
    units: 'kbit/s',
  } as const
  return [integerOption({ ...about, conditions: conditions(codecs, lossy) }, range)]
}

function conditions(all: readonly AudioCodecName[], able: readonly AudioCodecName[]): readonly OptionCondition[] {
  if (able.length === all.length) return []
  const meta = [
    ...able.map((value) => ({ value, label: audioCodec(value).label })),
    { value: 'auto', label: 'Chosen by the input' },
  ]
  return [{ name: 'audio_codec', required: false, meta }]
}

/** Sample rate and channels, as far as the codecs of a container support them. */
export function shape(codecs: readonly AudioCodecName[]) {
  const known = codecs.map((name) => audioCodec(name).rates)
  const fitting = rates.filter((rate) => known.some((list) => list === undefined || list.includes(Number(rate))))
  const labels = tableOf(fitting, (rate) => `${rate} Hz`)
  const max = Math.max(...codecs.map((name) => audioCodec(name).maxChannels))
  const sampleRate = enumOption(
    { name: 'sample_rate', label: 'Sample rate', hint: 'Samples per second. Default: as in the input.' },
    labels,
  )
  const channels = integerOption(
    {
      name: 'channels',
      label: 'Channels',
      hint: 'Number of channels: 1 for mono, 2 for stereo. Default: as in the input.',
    },
    { min: 1, max },
  )
  // No option if the codecs support only one rate or one channel.
  const hasChoice = known.some((list) => list?.length !== 1)
  return [...(hasChoice ? [sampleRate] : []), ...(max > 1 ? [channels] : [])]
}

/** The options for a conversion to each audio container. */
export const audioOptions = tableOf(audioContainerNames, (name) => [
  ...soundOptions(audioContainers[name]),
  ...spanOptions,
  strip,
  strict,
])
