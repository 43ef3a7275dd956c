import type { ProcessStep } from '../engine.ts'
import { magickStepLimits } from './decoder-limits.ts'
import { magickStep } from './magick-step.ts'
import type { PictureParams } from './picture-call.ts'

/** The file with the EXIF of a source. */
export const exifFile = (n: number) => `meta-${n}.exif`

/** Whether EXIF is requested, is likely to exist, and can be written to the result. */
export function keepsExif({ strip }: PictureParams, from: string, to: string): boolean {
  return strip === false && ['heic', 'jxl'].includes(from) && ['jpg', 'png'].includes(to)
}

/** Extracts the EXIF of a file in the job folder. A file without EXIF does not fail. */
export function exifStep({ file, format }: { file: string; format: string }, n: number): ProcessStep {
  const step = magickStep({
    grant: { read: [{ name: format, module: format.toUpperCase() }], write: [{ name: 'exif', module: 'META' }] },
    // A PNG may have its EXIF after the pixels.
    args: [...(format === 'png' ? [] : ['-ping']), `${format}:${file}[0]`, `exif:${exifFile(n)}`],
    outputs: [],
    limits: magickStepLimits,
    weight: 0.1,
    blame: 'input',
  })
  return { ...step, readExit: ({ code }) => (code > 128 ? undefined : {}) }
}
