import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep } from '../engine.ts'
import type { Decoder, MagickDecoder } from './decoders.ts'
import { magickStepLimits } from './limits.ts'
import { magickStep } from './magick-step.ts'
import type { Probe } from './probe.ts'
import { toolExit } from './tool-exit.ts'

/** What to decode, and into what. */
export interface Decoding {
  readonly decoder: Decoder
  readonly file: string
  /** The picture's name afterwards, without an extension: `mid-0`. */
  readonly out: string
  readonly probe: Probe
  /** Which of several pictures, counted from 1. */
  readonly page?: number
  readonly isDeep: boolean
}

/** A decoded picture in a format the picture runner reads, or why there is none. */
export interface Decoded {
  readonly step: ProcessStep
  readonly file: string
  readonly format: 'tiff' | 'png'
  readonly warnings: readonly string[]
}

/** Plans the step that decodes one picture. TIFF keeps CMYK, profiles and depth, and costs no time to pack. */
export function decode(decoding: Decoding): Decoded | Failure {
  const { decoder, file, out, page, isDeep, probe } = decoding
  const count = probe.pictures.length
  if (page !== undefined && page > count) {
    return failure('unsupported', { text: `There is no picture ${page} in the file: it holds ${count}.` })
  }
  if (decoder.tool === 'magick') return decodeByMagick(decoding, decoder)
  if (decoder.tool === 'jxl') {
    const args = [file, `${out}.png`, `--bits_per_sample=${isDeep ? 16 : 8}`, '--num_threads=2']
    return { step: toolStep('djxl', args, `${out}.png`), file: `${out}.png`, format: 'png', warnings: [] }
  }
  // As the camera balanced it, in sRGB.
  const args = ['-T', '-w', '-o', '1', ...(isDeep ? ['-6'] : []), '-Z', `${out}.tiff`, file]
  return { step: toolStep('dcraw_emu', args, `${out}.tiff`), file: `${out}.tiff`, format: 'tiff', warnings: [] }
}

function toolStep(program: string, args: readonly string[], output: string): ProcessStep {
  const limits = magickStepLimits
  return { kind: 'process', profile: 'magick', program, args, outputs: [output], limits, readExit: toolExit(program) }
}

function decodeByMagick({ file, out, page, isDeep, probe }: Decoding, decoder: MagickDecoder): Decoded {
  const { coder, inside, pick, isLinear } = decoder
  const target = `${out}.tiff`
  const isFlat = pick === 'flatten' && page === undefined
  const picture = isFlat ? '' : `[${page === undefined ? indexOf(pick, probe) : page - 1}]`
  const step = magickStep({
    grant: { read: [coder, ...inside], write: [tiff] },
    args: [
      `${coder.name}:${file}${picture}`,
      ...(isFlat ? ['-background', 'none', '-flatten'] : []),
      ...(isLinear ? ['-colorspace', 'sRGB'] : []),
      ...['-depth', isDeep ? '16' : '8', '-compress', 'none', `tiff:${target}`],
    ],
    outputs: [target],
    limits: magickStepLimits,
    blame: 'input',
  })
  return { step, file: target, format: 'tiff', warnings: lost(decoder, probe, page) }
}

const tiff = { name: 'tiff', module: 'TIFF' }

function indexOf(pick: string, { pictures }: Probe): number {
  if (pick !== 'largest') return 0
  const areas = pictures.map(({ width, height }) => width * height)
  return areas.indexOf(Math.max(...areas))
}

// Layers, mip maps and the sizes of an icon are no loss: they show the same picture.
function lost({ coder }: MagickDecoder, { pictures }: Probe, page: number | undefined): readonly string[] {
  const isSeries = coder.name === 'heic' || coder.module === 'PNM'
  if (!isSeries || pictures.length < 2 || page !== undefined) return []
  return [`Only the first of the ${pictures.length} pictures was kept.`]
}
