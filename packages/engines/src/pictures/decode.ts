import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep } from '../engine.ts'
import { magickStepLimits } from './decoder-limits.ts'
import type { Decoder, MagickDecoder } from './decoders.ts'
import { ffmpegStep } from './ffmpeg-step.ts'
import { magickStep } from './magick-step.ts'
import { pillowStep } from './pillow-step.ts'
import type { Probe } from './probe.ts'
import { toolExit } from './tool-exit.ts'

/** The file to decode, and how. */
export interface Decoding {
  readonly decoder: Decoder
  readonly file: string
  /** The name of the decoded image, without an extension: `mid-0`. */
  readonly out: string
  /** The probed sizes, for decoders that do not check sizes themselves. */
  readonly probe: Probe
  /** Which of several images, counted from 1. */
  readonly page?: number
  readonly isDeep: boolean
  /** Whether the result can hold an animation. */
  readonly isMoving: boolean
  readonly isStrict: boolean
}

/** A decoded image in a format that the image runner reads. */
export interface Decoded {
  readonly step: ProcessStep
  readonly file: string
  readonly format: 'tiff' | 'png' | 'webp'
  readonly warnings: readonly string[]
}

/** Plans the step that decodes one image. TIFF keeps CMYK, profiles and depth, and takes no time to compress. */
export function decode(decoding: Decoding): Decoded | Failure {
  const { decoder, file, out, page, isDeep, isMoving, isStrict, probe } = decoding
  const count = probe.pictures.length
  if (page !== undefined && count > 0 && page > count) {
    return failure('unsupported', { text: `There is no image ${page} in the file: it has ${count}.` })
  }
  switch (decoder.tool) {
    case 'magick':
      return decodeByMagick(decoding, decoder)
    case 'jxl': {
      const how = [`--bits_per_sample=${isDeep ? 16 : 8}`, '--num_threads=2']
      const args = [file, `${out}.png`, ...how, ...(decoder.isPartial ? ['--allow_partial_files'] : [])]
      return { step: toolStep('djxl', args, `${out}.png`), file: `${out}.png`, format: 'png', warnings: [] }
    }
    case 'pillow': {
      const format = decoder.isAnimated && isMoving && page === undefined ? 'webp' : 'tiff'
      const target = { file: `${out}.${format}`, format } as const
      const asked = page === undefined ? {} : { page }
      const step = pillowStep({ file, out: target.file, plugins: decoder.plugins, isStrict, ...asked })
      return { ...target, step, warnings: [] }
    }
    case 'ffmpeg': {
      const format = isMoving ? 'webp' : 'png'
      const target = { file: `${out}.${format}`, format } as const
      return { ...target, step: ffmpegStep({ file, out: target.file, demuxer: decoder.demuxer }), warnings: [] }
    }
    default: {
      // With the camera's white balance, in sRGB.
      const args = ['-T', '-w', '-o', '1', ...(isDeep ? ['-6'] : []), '-Z', `${out}.tiff`, file]
      return { step: toolStep('dcraw_emu', args, `${out}.tiff`), file: `${out}.tiff`, format: 'tiff', warnings: [] }
    }
  }
}

function toolStep(program: string, args: readonly string[], output: string): ProcessStep {
  const limits = magickStepLimits
  return { kind: 'process', profile: 'magick', program, args, outputs: [output], limits, readExit: toolExit(program) }
}

function decodeByMagick({ file, out, page, isDeep, probe }: Decoding, decoder: MagickDecoder): Decoded {
  const { coder, inside, pick, isLinear } = decoder
  const target = `${out}.tiff`
  const isFlat = pick === 'flatten' && page === undefined
  const picture = isFlat || pick === 'whole' ? '' : `[${page === undefined ? indexOf(pick, probe) : page - 1}]`
  const step = magickStep({
    grant: { read: [coder, ...inside], write: [tiff] },
    args: [
      `${coder.name}:${file}${picture}`,
      ...(isFlat ? ['-background', 'none', '-flatten'] : []),
      ...(isLinear || !keptColours.includes(probe.colours ?? '') ? ['-colorspace', 'sRGB'] : []),
      ...['-depth', isDeep ? '16' : '8', '-compress', 'none', `tiff:${target}`],
    ],
    outputs: [target],
    limits: magickStepLimits,
    blame: 'input',
  })
  return { step, file: target, format: 'tiff', warnings: lost(decoder, probe, page) }
}

// libvips reads only a few other color spaces, and those in its own way.
const keptColours = ['', 'sRGB', 'Gray', 'CMYK']

const tiff = { name: 'tiff', module: 'TIFF' }

function indexOf(pick: string, { pictures }: Probe): number {
  if (pick !== 'largest') return 0
  const areas = pictures.map(({ width, height }) => width * height)
  return areas.indexOf(Math.max(...areas))
}

const series = ['heic', 'avif', 'dcx', 'fits', 'tiff', 'gif', 'webp']

// Layers, mip maps and the sizes of an icon show the same image, so dropping them is no loss.
function lost({ coder }: MagickDecoder, { pictures }: Probe, page: number | undefined): readonly string[] {
  const isSeries = series.includes(coder.name) || coder.module === 'PNM'
  if (!isSeries || pictures.length < 2 || page !== undefined) return []
  return [`Only the first of the ${pictures.length} pictures was kept.`]
}
