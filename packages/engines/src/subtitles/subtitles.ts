import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Ability, Engine, Plan, ProcessStep, StepExit, StepLimits, Tolerated } from '../engine.ts'
import { ffmpegCrashes } from '../ffmpeg-crashes.ts'
import { enumOption, numberOption } from '../option-descriptor.ts'
import { checkOneSource, type OptionsOf } from '../plan-options.ts'
import { MiB } from '../tool.ts'

/** Limits of one run: the subtitles of a long video are a few hundred kilobytes. */
export const subtitleLimits: StepLimits = { timeMs: 60_000, memoryBytes: 512 * MiB, outputBytes: 256 * MiB }

/** The demuxer of each input format. FFmpeg never has to detect the format. */
const demuxers: Readonly<Record<string, string>> = {
  srt: 'srt',
  vtt: 'webvtt',
  ass: 'ass',
  ssa: 'ass',
  sub: 'microdvd',
  smi: 'sami',
  lrc: 'lrc',
  mpl2: 'mpl2',
  jss: 'jacosub',
  pjs: 'pjs',
  subviewer: 'subviewer',
}

/** The encoder and muxer of each output format. */
const writers: Readonly<Record<string, readonly [encoder: string, muxer: string]>> = {
  srt: ['subrip', 'srt'],
  vtt: ['webvtt', 'webvtt'],
  ass: ['ass', 'ass'],
  // LRC has no italics.
  lrc: ['text', 'lrc'],
  ttml: ['ttml', 'ttml'],
}

const shift = numberOption(
  {
    name: 'shift',
    label: 'Shift',
    hint: 'Moves all subtitles in time. Positive values show them later.',
    units: 'seconds',
  },
  { min: -86_400, max: 86_400, byDefault: 0 },
)

const encoding = enumOption(
  { name: 'encoding', label: 'Encoding', hint: 'Character encoding of the input.' },
  {
    auto: 'UTF-8, or windows-1252 where the text is not UTF-8',
    'utf-8': 'Unicode',
    'windows-1250': 'Central European',
    'windows-1251': 'Cyrillic',
    'windows-1252': 'Western European',
    'windows-1253': 'Greek',
    'windows-1254': 'Turkish',
    'windows-1255': 'Hebrew',
    'windows-1256': 'Arabic',
    'shift-jis': 'Japanese',
    'euc-kr': 'Korean',
    gb18030: 'Chinese, simplified',
    big5: 'Chinese, traditional',
  },
  'auto',
)

const frameRate = numberOption(
  {
    name: 'frame_rate',
    label: 'Frame rate',
    hint: 'Frame rate of the video that the subtitles belong to. The format counts frames, not seconds.',
    units: 'frames per second',
  },
  { min: 1, max: 240, byDefault: 23.976 },
)

// Pairs with equal options share one list: lists are compared by identity.
const usual = [shift, encoding]
const counted = [shift, encoding, frameRate]

const abilities = Object.keys(demuxers).flatMap((from) =>
  Object.keys(writers)
    // FFmpeg's TTML encoder does not know the styles of SSA.
    .filter((to) => to !== from && !(from === 'ssa' && to === 'ttml'))
    .map((to) => ({ operation: 'convert', from, to, options: from === 'sub' ? counted : usual }) satisfies Ability),
)

interface Run {
  readonly file: string
  readonly format: string
  readonly to: string
  readonly options: OptionsOf<typeof abilities>
  readonly encoding: string
  /** Whether another encoding is tried if this one does not fit. */
  readonly isTrial: boolean
}

/** Subtitles and lyrics: timed text files. */
export const subtitles: Engine = {
  id: 'subtitles',
  family: 'av',
  tools: [],
  cost: { startS: 0.2, perMiBS: 0.5 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, effective: options, warnings } = checked
    const { to } = request
    const given = options.encoding ?? 'auto'
    const run = { file: source.file, format: source.format, to, options }
    const outputs = [{ file: `out-0.${to}`, format: to, source: 0 }]
    const plan = { kind: 'plan', outputs, warnings } as const
    if (given !== 'auto') return { ...plan, steps: [convertStep({ ...run, encoding: given, isTrial: false })] }
    const next: Plan['next'] = ({ failed }) => {
      if (failed?.[0] !== true) return { ...plan, warnings: [], steps: [] }
      return {
        ...plan,
        steps: [convertStep({ ...run, encoding: 'windows-1252', isTrial: false })],
        warnings: ['The text is not UTF-8, so it was read as windows-1252. The option encoding names another one.'],
      }
    }
    return { ...plan, steps: [convertStep({ ...run, encoding: 'utf-8', isTrial: true })], next }
  },
}

function convertStep({ file, format, to, options, encoding: name, isTrial }: Run): ProcessStep {
  const demuxer = demuxers[format] ?? ''
  const [encoder = '', muxer = ''] = writers[to] ?? []
  const out = `out-0.${to}`
  const shifted = options.shift ?? 0
  const rate = format === 'sub' ? ['-subfps', String(options.frame_rate ?? 23.976)] : []
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'ffmpeg',
    args: [
      ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'],
      ...['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer, ...rate],
      ...(name === 'utf-8' ? [] : ['-sub_charenc', name]),
      ...(shifted === 0 ? [] : ['-itsoffset', String(shifted)]),
      ...['-i', `file:${file}`, '-map', '0:s:0', '-c:s', encoder, '-f', muxer, `file:${out}`],
    ],
    outputs: isTrial ? [] : [out],
    limits: subtitleLimits,
    readExit: (exit) => readEnd(exit, isTrial),
    readLog: (stderr) => (isTrial && isOtherEncoding(stderr) ? { hasFailed: true } : undefined),
  }
}

const isOtherEncoding = (stderr: string) => stderr.includes('Invalid UTF-8')

function readEnd({ code, stderr }: StepExit, isTrial: boolean): Failure | Tolerated | undefined {
  if (ffmpegCrashes.includes(code)) return undefined
  if (isTrial && isOtherEncoding(stderr)) return { hasFailed: true }
  return failure('input_damaged', { detail: `ffmpeg: exit ${code}\n${stderr.slice(-2000)}` })
}
