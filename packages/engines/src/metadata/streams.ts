import type { JsonObject, JsonValue, ProcessStep, SourceFile } from '../engine.ts'
import { sourceInput } from '../media/input.ts'
import { probeLimits } from '../media/limits.ts'

const streamFields = [
  ...['index', 'codec_type', 'codec_name', 'profile', 'width', 'height', 'pix_fmt', 'sample_aspect_ratio'],
  ...['avg_frame_rate', 'sample_rate', 'channels', 'channel_layout', 'bits_per_raw_sample', 'duration', 'bit_rate'],
]

const everything = [
  'format=duration,bit_rate',
  'format_tags',
  `stream=${streamFields.join(',')}`,
  'stream_tags=language,title',
  'stream_disposition=attached_pic,default',
  'stream_side_data=rotation',
].join(':')

/** Probes a file with ffprobe; `readStreams` reads the answer. ExifTool may still read a file that ffprobe cannot. */
export function streamsStep(source: SourceFile, entries: string = everything): ProcessStep {
  const print = ['-print_format', 'json=compact=1', '-show_entries', entries]
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'ffprobe',
    args: ['-hide_banner', '-loglevel', 'error', ...print, ...sourceInput(source)],
    outputs: [],
    limits: probeLimits,
    weight: 0.2,
    capture: true,
    readExit: () => ({}),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** ffprobe's facts about the file and its streams: numbers as numbers, without unknown values. */
export function readStreams(stdout: string): { container: JsonObject; streams: readonly JsonObject[] } {
  const { format, streams } = parse(stdout)
  const whole = fieldsOf(format)
  const own = pick(whole, ['duration', 'bit_rate'])
  return {
    container: { ...own, ...textsOf(fieldsOf(whole.tags)) },
    streams: (Array.isArray(streams) ? streams : []).map((stream) => readStream(fieldsOf(stream))),
  }
}

function readStream(stream: Fields): JsonObject {
  const { disposition, side_data_list: side, tags } = stream
  const rotation = Array.isArray(side) ? side.map((one) => fieldsOf(one).rotation).find(Number.isFinite) : undefined
  return {
    ...pick(stream, streamFields),
    ...(typeof rotation === 'number' && { rotation }),
    ...(fieldsOf(disposition).attached_pic === 1 && { cover: true }),
    ...textsOf(fieldsOf(tags)),
  }
}

const numeric = ['sample_rate', 'duration', 'bit_rate', 'bits_per_raw_sample']

function pick(fields: Fields, names: readonly string[]): JsonObject {
  const known = names.flatMap((name): [string, JsonValue][] => {
    const value = fields[name]
    if (typeof value === 'number') return [[name, value]]
    if (typeof value !== 'string' || ['0/0', '0:1', 'N/A', 'unknown', ''].includes(value)) return []
    return [[name, numeric.includes(name) && Number.isFinite(Number(value)) ? Number(value) : value]]
  })
  return Object.fromEntries(known)
}

function textsOf(tags: Fields): JsonObject {
  return Object.fromEntries(
    Object.entries(tags).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

// For a file with megabytes of tags, the answer is truncated and not valid JSON.
function parse(stdout: string): Fields {
  try {
    return fieldsOf(JSON.parse(stdout))
  } catch {
    return {}
  }
}
