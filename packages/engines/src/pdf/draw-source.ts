import { failure } from '@lathe/domain'
import type { Plan, ProcessStep, SourceFile, StepExit } from '../engine.ts'
import { djvuLimits, pdfLimits, pdfStepLimits, postscriptLimits } from '../pages/limits.ts'
import { planAfter } from '../pages/plan-after.ts'
import { processStep } from '../pages/process-step.ts'
import { postscriptManners } from './ghostscript-step.ts'

/** How one format of pages becomes a PDF. */
interface Drawer {
  readonly program: string
  readonly step: Pick<ProcessStep, 'limits' | 'profile'>
  args(file: string, out: string): readonly string[]
  /** Arguments that leave out damaged pages, for files of which the usual arguments make no PDF at all. */
  tolerantArgs?(file: string, out: string): readonly string[]
}

// PostScript is a program: Ghostscript runs it and writes what it draws as a PDF.
const ghostscript = (size: readonly string[]): Drawer => ({
  program: 'gs',
  step: { profile: 'ghostscript', limits: postscriptLimits },
  args: (file, out) => [...postscriptManners, ...size, `-sOutputFile=${out}`, file],
})

// One page more than allowed is enough to refuse the document when it is opened.
const allowedPages = `1-${pdfLimits.pages + 1}`

const drawers = {
  ps: ghostscript([]),
  // An EPS image is as large as its bounding box; a document sets its own page size.
  eps: ghostscript(['-dEPSCrop']),
  ai: ghostscript(['-dEPSCrop']),
  xps: {
    program: 'mutool',
    step: { profile: 'pdf', limits: pdfStepLimits },
    args: (file, out) => ['convert', '-F', 'pdf', '-o', out, file, allowedPages],
  },
  djvu: {
    program: 'ddjvu',
    step: { profile: 'pdf', limits: djvuLimits },
    args: (file, out) => ['-format=pdf', '-quality=90', `-page=${allowedPages}`, file, out],
    tolerantArgs: (file, out) => ['-format=pdf', '-quality=90', '-skip', `-page=${allowedPages}`, file, out],
  },
} as const satisfies Record<string, Drawer>

/** A format that is drawn as a PDF before anything else is done with it. */
export type DrawnFormat = keyof typeof drawers

/** The formats that are drawn as a PDF first. */
export const drawnFormats = Object.keys(drawers) as readonly DrawnFormat[]

/** Whether a format is drawn as a PDF first. */
export function isDrawn(format: string): format is DrawnFormat {
  return Object.hasOwn(drawers, format)
}

const brokenOff = 'The file is damaged: the result has what could be drawn. The option strict refuses such files.'

/** Plans to draw a source as a PDF, and then to do what `then` plans. */
export function drawSource(
  { source, format, isStrict }: { source: SourceFile; format: DrawnFormat; isStrict: boolean },
  then: (drawn: SourceFile) => Plan,
): Plan {
  const out = `drawn-${/\d+/.exec(source.file)?.[0] ?? '0'}.pdf`
  const { program, args, tolerantArgs, step }: Drawer = drawers[format]
  const run = (words: readonly string[], readExit: NonNullable<ProcessStep['readExit']>) =>
    processStep(program, words, { ...step, out, readExit })
  const opened = then({ ...source, file: out, format: 'pdf' })
  const readExit = readExitOf(isStrict)
  if (isStrict || tolerantArgs === undefined) return planAfter([run(args(source.file, out), readExit)], opened)
  const again = planAfter([run(tolerantArgs(source.file, out), readExit)], opened)
  return {
    kind: 'plan',
    steps: [run(args(source.file, out), () => ({}))],
    outputs: [],
    warnings: [],
    next: ({ sizes }) => ((sizes[out] ?? 0) > 0 ? opened : { ...again, warnings: [brokenOff, ...again.warnings] }),
  }
}

// Pages drawn before a program fails are kept. Without any page, the PDF cannot be opened.
function readExitOf(isStrict: boolean) {
  return ({ code, stderr }: StepExit) => {
    if (code >= 128) return undefined
    return isStrict ? failure('input_damaged', { detail: stderr }) : { warning: brokenOff }
  }
}
