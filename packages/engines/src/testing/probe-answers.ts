import { findFormat } from '@lathe/formats'
import type { Findings, JsonObject, Plan, ProcessStep, SourceFile, Step } from '../engine.ts'

const video = {
  index: 0,
  codec_type: 'video',
  codec_name: 'mpeg2video',
  pix_fmt: 'yuv420p',
  width: 320,
  height: 240,
  avg_frame_rate: '25/1',
  bit_rate: '400000',
}
const audio = {
  index: 1,
  codec_type: 'audio',
  codec_name: 'mp2',
  sample_rate: '44100',
  channels: 2,
  bit_rate: '128000',
}
const subtitle = { index: 2, codec_type: 'subtitle', codec_name: 'subrip' }

const page = (n: number) => `Page ${n} size: 595.28 x 841.89 pts (A4)\nPage ${n} rot: 0\n`

/** The output of a real program for an ordinary file of this format. */
function answerOf({ program, args, modules }: ProcessStep, { format }: SourceFile): string {
  const words = [program, ...args]
  if (words.includes('ffprobe')) return probeOfMedia(format)
  if (words.includes('pdfinfo'))
    return `Title: x\nPages:           3\nEncrypted:       no\n${[1, 2, 3].map(page).join('')}`
  if (modules && 'tidy' in modules) return '{"scripts": 0, "longest": 1, "pages": 3, "points": 842}\n'
  if (modules && 'extract' in modules) return '{"file": "item-0.bin", "name": "a/b.txt"}\n{"left": {}}\n'
  if (modules && 'speech' in modules) return 'done 0.5000\n{"words": 3}\n'
  if (modules && 'read' in modules) return '{"cut": false}\n'
  if (words.includes('dcmdump'))
    return '(0028,0008) IS [3] # 2, 1 NumberOfFrames\n(0028,0010) US 240\n(0028,0011) US 320\n'
  if (words.includes('djvused')) return '3\n'
  if (words.includes('jxlinfo')) return 'JPEG XL image, 320x240, lossy, 8-bit RGB\n'
  if (words.includes('raw-identify')) return 'Output size:  320 x 240\n'
  if (words.includes('identify') || words.includes('od')) return '320 240\n'
  return ''
}

function probeOfMedia(format: string): string {
  const streams = findFormat(format)?.family === 'audio' ? [audio] : [video, audio, subtitle]
  return JSON.stringify({ format: { duration: '10.0', bit_rate: '528000', nb_streams: streams.length }, streams })
}

// The answers of all runners in one: each runner gives only some of these fields.
const callAnswer: JsonObject = { warnings: [], pages: 3, format: 'webp' }

/** The findings of a plan's steps for ordinary files: every promised file exists. */
export function findingsOf(plan: Plan, sources: readonly SourceFile[], bytes: number): Findings {
  const [first] = sources
  const stdout = plan.steps.map((step) => (step.kind === 'process' && first ? answerOf(step, first) : ''))
  const results = plan.steps.map((step): JsonObject => (step.kind === 'call' ? callAnswer : {}))
  const inputs = sources.map(({ file, size }) => [file, size] as const)
  const promised = [...plan.steps.flatMap(filesOf), ...plan.outputs.map(({ file }) => file)]
  const made = promised.flatMap((file) => ['1', '2', '3'].map((n) => [file.replace('*', n), bytes] as const))
  return { stdout, results, sizes: Object.fromEntries([...inputs, ...made]) }
}

// Poppler's drawing programs promise no files, because they number the pages in their own way.
function filesOf(step: Step): readonly string[] {
  const isPainter = step.kind === 'process' && ['pdftoppm', 'pdftocairo'].includes(step.program)
  return isPainter ? [...step.outputs, `${step.args.at(-1)}-*.png`] : step.outputs
}
