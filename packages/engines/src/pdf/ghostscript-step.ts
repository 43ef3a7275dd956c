import type { ProcessStep } from '../engine.ts'
import { processStep } from '../pages/process-step.ts'
import { srgbProfile } from './srgb-profile.ts'

/** Ghostscript reads and writes only the named files, never prompts, and a document cannot change the output file. */
export const postscriptManners: readonly string[] = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite']

/** Rewrites a PDF as PDF/A of part 1, 2 or 3, level B. Content that PDF/A does not allow is left out. */
export function archiveStep(file: string, out: string, part: string): ProcessStep {
  const archive = [`-dPDFA=${part}`, '-dPDFACompatibilityPolicy=1', '-sColorConversionStrategy=RGB']
  return rewriteStep(file, out, { args: archive, prologue: outputIntent() })
}

/** Rewrites a PDF for readers of a certain version. */
export function versionStep(file: string, out: string, version: string): ProcessStep {
  return rewriteStep(file, out, { args: [`-dCompatibilityLevel=${version}`], prologue: keepPictures })
}

function rewriteStep(file: string, out: string, { args, prologue }: { args: readonly string[]; prologue: string }) {
  const first = { file: 'prologue.ps', text: prologue }
  return processStep('gs', [...postscriptManners, ...args, `-sOutputFile=${out}`, first.file, file], {
    out,
    profile: 'ghostscript',
    writes: [first],
  })
}

// By default Ghostscript would convert images that were stored without loss to JPEG.
const keepPictures = `%!
<< /AutoFilterColorImages false /ColorImageFilter /FlateEncode
   /AutoFilterGrayImages false /GrayImageFilter /FlateEncode >> setdistillerparams
`

// PDF/A requires a color profile.
function outputIntent(): string {
  const profile = [...srgbProfile()].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${keepPictures}
[/_objdef {icc} /type /stream /OBJ pdfmark
[{icc} << /N 3 >> /PUT pdfmark
[{icc} <${profile}> /PUT pdfmark
[/_objdef {intent} /type /dict /OBJ pdfmark
[{intent} << /Type /OutputIntent /S /GTS_PDFA1 /DestOutputProfile {icc} /OutputConditionIdentifier (sRGB) >> /PUT pdfmark
[{Catalog} << /OutputIntents [{intent}] >> /PUT pdfmark
`
}
