import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep } from '../engine.ts'
import { probeStepLimits } from './decoder-limits.ts'
import type { Decoder, FfmpegDecoder, PillowDecoder } from './decoders.ts'
import { pictureLimits } from './limits.ts'
import { magickStep } from './magick-step.ts'
import { toolExit } from './tool-exit.ts'

/** The content of a file, read from its header. */
export interface Probe {
  readonly pictures: readonly { readonly width: number; readonly height: number }[]
  /** The color space of the first image as ImageMagick names it: Lab, CMYK; empty if unknown. */
  readonly colours?: string
}

/** A decoder that needs a probe of sizes first. The others check sizes before they decode. */
export type ProbedDecoder = Exclude<Decoder, PillowDecoder | FfmpegDecoder>

/** Whether sizes must be probed before a decoder may read the file. */
export function needsProbe(decoder: Decoder): decoder is ProbedDecoder {
  return decoder.tool !== 'pillow' && decoder.tool !== 'ffmpeg'
}

/** Reads the size of every image in a file without decoding it; `readProbe` reads the output. */
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

/** Reads the output of `probeStep`, and refuses files beyond the limits. */
export function readProbe(decoder: ProbedDecoder, stdout: string): Probe | Failure {
  const found = [...stdout.matchAll(sizes[decoder.tool])]
  const pictures = found.map(([, width, height]) => ({ width: Number(width), height: Number(height) }))
  if (pictures.length === 0) return failure('input_damaged', { detail: `no size in: ${stdout.slice(0, 500)}` })
  const isRead = !('sizeAt' in decoder) || decoder.sizeAt === undefined
  const side = Math.max(...pictures.flatMap(({ width, height }) => [width, height]))
  // The four bytes are not a size: GIMP writes nothing larger.
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
