import type { ProcessStep } from '../engine.ts'
import { magickStepLimits } from './decoder-limits.ts'
import { magickStep } from './magick-step.ts'
import type { PictureParams } from './picture-call.ts'

/** Where the EXIF of a source waits for its picture. */
export const exifFile = (n: number) => `meta-${n}.exif`

/** Whether EXIF is wanted, is likely to be there, and can be put into the result. */
export function keepsExif({ strip }: PictureParams, from: string, to: string): boolean {
  return strip === false && ['heic', 'jxl'].includes(from) && ['jpg', 'png'].includes(to)
}

/** Takes the EXIF out of a file of the job folder. A file that has none is no failure. */
export function exifStep({ file, format }: { file: string; format: string }, n: number): ProcessStep {
  const step = magickStep({
    grant: { read: [{ name: format, module: format.toUpperCase() }], write: [{ name: 'exif', module: 'META' }] },
    // A PNG may say it after its pixels.
    args: [...(format === 'png' ? [] : ['-ping']), `${format}:${file}[0]`, `exif:${exifFile(n)}`],
    outputs: [],
    limits: magickStepLimits,
    weight: 0.1,
    blame: 'input',
  })
  return { ...step, readExit: ({ code }) => (code > 128 ? undefined : {}) }
}
