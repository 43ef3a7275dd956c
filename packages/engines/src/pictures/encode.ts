import type { ProcessStep } from '../engine.ts'
import { magickStepLimits } from './decoder-limits.ts'
import { encoders, type Writable } from './encoders.ts'
import { magickStep } from './magick-step.ts'
import type { PictureParams as Params } from './picture-call.ts'
import type { Coder } from './policy.ts'
import { toolExit } from './tool-exit.ts'

const png = { name: 'png', module: 'PNG' }
// Large icons are PNG. JNG is a JPEG with its transparency as PNG.
const inside: Partial<Record<Writable, readonly Coder[]>> = {
  ico: [png, { name: 'png32', module: 'PNG' }],
  jng: [png, { name: 'jpeg', module: 'JPEG' }],
}

/** Plans the step that makes the final file from a PNG of the image runner. */
export function encode(
  format: Writable,
  { file, out, params }: { file: string; out: string; params: Params },
): ProcessStep {
  const { coder } = encoders[format]
  if (coder === 'jxl') return encodeJxl({ file, out, params })
  return magickStep({
    grant: { read: [png], write: [coder, ...(inside[format] ?? [])] },
    args: [`png:${file}`, ...(argsOf[format]?.(params) ?? []), `${coder.name}:${out}`],
    outputs: [out],
    limits: magickStepLimits,
    blame: 'engine',
  })
}

const argsOf: Partial<Record<Writable, (params: Params) => readonly string[]>> = {
  // Chroma subsampling is visible at the edges of an image with high quality.
  heic: ({ quality }) => ['-quality', `${quality}`, ...((quality ?? 0) >= 90 ? ['-define', 'heic:chroma=444'] : [])],
  jp2: ({ quality, lossless }) => ['-quality', lossless ? '100' : `${quality}`],
  ico: ({ sizes }) => (sizes === 'all' ? ['-define', 'icon:auto-resize=256,128,64,48,32,16'] : []),
  tga: ({ compression }) => ['-compress', compression === 'none' ? 'None' : 'RLE'],
  dds: ({ compression }) => ['-define', `dds:compression=${compression}`, '-define', 'dds:mipmaps=0'],
  psd: () => ['-compress', 'RLE'],
}

function encodeJxl({ file, out, params }: { file: string; out: string; params: Params }): ProcessStep {
  const { quality, lossless, effort } = params
  const look = lossless ? ['-d', '0'] : ['-q', `${quality}`]
  return {
    kind: 'process',
    profile: 'magick',
    program: 'cjxl',
    args: [file, out, ...look, '-e', `${effort}`, '--num_threads=2'],
    outputs: [out],
    limits: magickStepLimits,
    readExit: toolExit('cjxl'),
  }
}
