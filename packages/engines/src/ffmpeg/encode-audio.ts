import type { AudioCodec } from '../media/audio-codecs.ts'
import type { AudioStream } from './media.ts'
import type { MediaSettings } from './media-settings.ts'

type Sound = Pick<MediaSettings, 'audioKbps' | 'sampleRate' | 'channels' | 'volume' | 'loudness'>

/** The arguments that encode one audio track, the n-th of the output. */
export function audioArgs(codec: AudioCodec, track: AudioStream, settings: Sound, n: number): readonly string[] {
  const channels = Math.min(settings.channels ?? track.channels ?? 2, codec.maxChannels)
  const rate = sampleRate(codec, track, settings)
  const filters = filtersOf(codec, settings, channels)
  return [
    ...[`-c:a:${n}`, codec.encoder, ...codec.args],
    ...bitRate(codec, settings, channels).map((word) => word.replace(/^(-[bq]:a)$/, `$1:${n}`)),
    ...(rate === undefined ? [] : [`-ar:a:${n}`, String(rate)]),
    ...(isOther(channels, track, settings) ? [`-ac:a:${n}`, String(channels)] : []),
    ...(filters.length === 0 ? [] : [`-filter:a:${n}`, filters.join(',')]),
  ]
}

// Decoders that report the number of channels but not their layout. Some encoders refuse to guess it.
const unplaced = ['speex', 'tak']

function isOther(channels: number, track: AudioStream, { channels: asked }: Sound): boolean {
  return asked !== undefined || channels < (track.channels ?? channels) || unplaced.includes(track.codec)
}

/**
 * kbit/s for a number of channels: `asked` if given, otherwise the default for each pair of channels and half for one.
 * If the codec has fixed rates, rounded down to one of them.
 */
export function kbpsFor({ kbps, bitRates }: AudioCodec, asked: number | undefined, channels: number): number {
  if (kbps === undefined) return 0
  const fair = Math.round((kbps.byDefault * Math.max(channels, 1)) / 2)
  const rate = Math.min(Math.max(asked ?? fair, kbps.min), kbps.max)
  return bitRates?.findLast((known) => known <= rate) ?? rate
}

function bitRate(codec: AudioCodec, { audioKbps }: Sound, channels: number): readonly string[] {
  if (codec.kbps === undefined) return []
  if (audioKbps === undefined && codec.unasked) return codec.unasked
  return ['-b:a', `${kbpsFor(codec, audioKbps, channels)}k`]
}

// The loudness filter works at 192 kHz, and the audio would stay at that rate.
function sampleRate({ rates, maxRate = Infinity }: AudioCodec, track: AudioStream, sound: Sound) {
  const { sampleRate: asked, loudness } = sound
  const { sampleRate: has = 48_000 } = track
  const isKnown = rates?.includes(has) ?? has <= maxRate
  const isKept = asked === undefined && loudness === undefined && isKnown
  const wanted = isKept ? undefined : Math.min(asked ?? has, maxRate)
  if (wanted === undefined || rates === undefined) return wanted
  return rates.reduce((best, rate) => (Math.abs(rate - wanted) < Math.abs(best - wanted) ? rate : best))
}

function filtersOf({ layouts }: AudioCodec, { volume, loudness }: Sound, channels: number): readonly string[] {
  return [
    ...(volume === 1 ? [] : [`volume=${volume}`]),
    ...(loudness === undefined ? [] : [`loudnorm=I=${loudness}:TP=-1.5:LRA=11`]),
    ...(layouts !== undefined && channels > 2 ? [`aformat=channel_layouts=${layouts}`] : []),
  ]
}
