import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep } from '../engine.ts'
import { probeStepLimits } from './decoder-limits.ts'
import type { Decoder, FfmpegDecoder, PillowDecoder } from './decoders.ts'
import { pictureLimits } from './limits.ts'
import { magickStep } from './magick-step.ts'
import { toolExit } from './tool-exit.ts'

/** What a file holds, learnt from its header. */
export interface Probe {
  readonly pictures: readonly { readonly width: number; readonly height: number }[]
  /** The colours of the first picture as ImageMagick names them: Lab, CMYK; empty where nobody said. */
  readonly colours?: string
}

/** A decoder that has to be asked for sizes first: the others look at them before they decode. */
export type ProbedDecoder = Exclude<Decoder, PillowDecoder | FfmpegDecoder>

/** Whether sizes have to be asked for before a decoder may see the file. */
export function needsProbe(decoder: Decoder): decoder is ProbedDecoder {
  return decoder.tool !== 'pillow' && decoder.tool !== 'ffmpeg'
}

/** Asks for the size of every picture in a file, without decoding one; `readProbe` reads the answer. */
export function probeStep(decoder: ProbedDecoder, file: string): ProcessStep {
  if (decoder.tool === 'jxl') return toolStep('jxlinfo', [file])
  if (decoder.tool === 'libraw') return toolStep('raw-identify', ['-v', file])
  const { coder, inside, sizeAt, maxSide } = decoder
  if (sizeAt !== undefined) return toolStep('od', ['-An', '-tu4', '--endian=big', `-j${sizeAt}`, '-N8', file])
  return magickStep({
    grant: { read: [coder, ...inside], write: [], ...(maxSide && { maxSide }) },
    args: ['identify', '-ping', '-format', '%w %h %[colorspace]\\n', `${coder.name}:${file}`],
    outputs: [],
    limits: probeStepLimits,
    capture: true,
    weight: 0.1,
    blame: 'input',
  })
}

function toolStep(program: string, args: readonly string[]): ProcessStep {
  const limits = probeStepLimits
  const readExit = toolExit(program)
  return {
    kind: 'process',
    profile: 'magick',
    program,
    args,
    outputs: [],
    limits,
    capture: true,
    readExit,
    weight: 0.1,
  }
}

const sizes = {
  magick: /^ *(\d{1,10}) +(\d{1,10})(?: +(\w{1,32}))?$/gm,
  jxl: /^JPEG XL (?:image|animation), (\d{1,10})x(\d{1,10})/gm,
  libraw: /^Output size: +(\d{1,10}) x (\d{1,10})$/gm,
} as const

const largestCanvas = 524_288

/** Reads what `probeStep` found, and refuses what is beyond the limits. */
export function readProbe(decoder: ProbedDecoder, stdout: string): Probe | Failure {
  const found = [...stdout.matchAll(sizes[decoder.tool])]
  const pictures = found.map(([, width, height]) => ({ width: Number(width), height: Number(height) }))
  if (pictures.length === 0) return failure('input_damaged', { detail: `no size in: ${stdout.slice(0, 500)}` })
  const isRead = !('sizeAt' in decoder) || decoder.sizeAt === undefined
  const side = Math.max(...pictures.flatMap(({ width, height }) => [width, height]))
  // Four bytes of anything else stand where the size should: GIMP makes nothing larger.
  if (!isRead && side > largestCanvas) return failure('input_damaged', { detail: `a side of ${side}` })
  const pixels = Math.max(...pictures.map(({ width, height }) => width * height))
  if (pixels > pictureLimits.pixels) return beyond('pixels', pixels, pictureLimits.pixels)
  if (pictures.length > pictureLimits.frames) return beyond('pictures', pictures.length, pictureLimits.frames)
  const [, , , colours = ''] = found[0] ?? []
  return { pictures, colours }
}

function beyond(what: string, value: number, limit: number): Failure {
  const text = `The file exceeds a limit of this service: ${what} ${value}, at most ${limit} allowed.`
  return failure('limit_exceeded', { text })
}
