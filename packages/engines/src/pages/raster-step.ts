import { type Failure, isFailure } from '@lathe/domain'
import type { ProcessStep } from '../engine.ts'
import { parsePages, sortedPages } from '../page-ranges.ts'
import { pdfLimits, pdfStepLimits } from './limits.ts'
import type { DrawOptions } from './options.ts'
import type { PdfInfo } from './probe.ts'
import { readDamage } from './process-step.ts'
import { pageScales, type Scale } from './raster-scale.ts'
import { joinTiffStep } from './tiff-step.ts'

/** The image formats that poppler writes. */
export type RasterFormat = 'jpg' | 'png' | 'tiff'

/** A PDF in the job folder to draw. */
export interface DrawJob {
  readonly file: string
  readonly format: RasterFormat
  /** The prefix of the output names: `out-0` gives `out-0-1.png`, `out-0-2.png`, and for TIFF `out-0.tiff`. */
  readonly out: string
  readonly options: DrawOptions
}

/** The name of the output; a `*` is the page number. */
export function outputName(format: RasterFormat, out: string): string {
  return format === 'tiff' ? `${out}.tiff` : `${out}-*.${format}`
}

interface RasterSteps {
  readonly steps: readonly ProcessStep[]
  readonly warnings: readonly string[]
}

/** The steps that draw the pages of a probed PDF. */
export function drawSteps(job: DrawJob, info: PdfInfo): RasterSteps | Failure {
  const ranges = parsePages(job.options.pages, info.pages.length)
  if (isFailure(ranges)) return ranges
  const scaled = pageScales(job.options, { info, pages: sortedPages(ranges) })
  if (isFailure(scaled)) return scaled
  const runs = toRuns(scaled.scales)
  const steps = runs.map((run) => drawStep(job, run))
  const joined = job.format === 'tiff' ? [joinTiffStep({ pages: `${job.out}-*.tif`, out: `${job.out}.tiff` })] : []
  return { steps: [...steps, ...joined], warnings: scaled.warnings }
}

interface Run {
  readonly first: number
  readonly last: number
  readonly scale: Scale
}

// One run draws adjacent pages of the same scale, at most a tenth of a long document, so that progress can be reported.
function toRuns(scales: ReadonlyMap<number, Scale>): readonly Run[] {
  const longest = Math.min(pdfLimits.pagesPerStep, Math.max(10, Math.ceil(scales.size / 10)))
  const runs: Run[] = []
  for (const [page, scale] of scales) {
    const run = runs.at(-1)
    const isNext = run !== undefined && run.last + 1 === page && run.scale.args.join() === scale.args.join()
    if (isNext && page - run.first < longest) runs[runs.length - 1] = { ...run, last: page }
    else runs.push({ first: page, last: page, scale })
  }
  return runs
}

function drawStep(job: DrawJob, { first, last, scale }: Run): ProcessStep {
  const { file, format, out } = job
  const { gray, transparent } = job.options
  // Only cairo draws without white paper; pdftoppm is faster and draws thin lines better.
  const program = format === 'png' && transparent ? 'pdftocairo' : 'pdftoppm'
  const look = [...(gray ? ['-gray'] : []), ...(program === 'pdftocairo' ? ['-transp'] : [])]
  return {
    kind: 'process',
    profile: 'pdf',
    program,
    args: [...formatArgs(job), '-cropbox', ...look, ...scale.args, '-f', `${first}`, '-l', `${last}`, file, out],
    // Poppler decides how many digits a page number has, so a missing page is only noticed among the plan's outputs.
    outputs: [],
    readExit: readDamage,
    limits: pdfStepLimits,
    weight: last - first + 1,
  }
}

function formatArgs({ format, options: { quality = 90 } }: DrawJob): readonly string[] {
  if (format === 'jpg') return ['-jpeg', '-jpegopt', `quality=${quality},optimize=y`]
  return format === 'tiff' ? ['-tiff', '-tiffcompression', 'deflate'] : ['-png']
}
