import type { ProcessStep } from '../engine.ts'
import { processStep } from '../pages/process-step.ts'
import { srgbProfile } from './srgb-profile.ts'

/** It reads and writes nothing but what is named, asks nobody, and a document cannot change where it writes to. */
export const postscriptManners: readonly string[] = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite']

/** Rewrites a PDF for the archive: PDF/A of part 1, 2 or 3, level B. What has no place in it is left out. */
export function archiveStep(file: string, out: string, part: string): ProcessStep {
  const archive = [`-dPDFA=${part}`, '-dPDFACompatibilityPolicy=1', '-sColorConversionStrategy=RGB']
  return rewriteStep(file, out, { args: archive, prologue: outputIntent() })
}

/** Rewrites a PDF so that readers of a certain version understand it. */
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

// Left alone, Ghostscript would make JPEG of pictures that were stored without loss.
const keepPictures = `%!
<< /AutoFilterColorImages false /ColorImageFilter /FlateEncode
   /AutoFilterGrayImages false /GrayImageFilter /FlateEncode >> setdistillerparams
`

// PDF/A wants to know which colours are meant.
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
