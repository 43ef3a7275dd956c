import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Ability, Engine, JsonObject, Plan, PlanRequest, SourceFile } from '../engine.ts'
import { checkOneSource, type OptionsOf } from '../plan-options.ts'
import { planImages } from './compare-images.ts'
import { planPdfs } from './compare-pdfs.ts'
import { imageOptions, pdfOptions } from './options.ts'
import { reportPlan } from './report.ts'
import { compareTool } from './tool.ts'

const images = ['jpg', 'png', 'webp', 'avif', 'gif', 'tiff', 'svg']
const texts = ['txt', 'md', 'csv', 'html']

const abilities = [
  ...images.flatMap((from) =>
    ['json', 'png'].map((to) => ({ operation: 'compare', from, to, options: imageOptions }) satisfies Ability),
  ),
  ...['json', 'png'].map(
    (to) => ({ operation: 'compare', from: 'pdf', to, options: pdfOptions, family: 'pdf' }) satisfies Ability,
  ),
  ...texts.map((from) => ({ operation: 'compare', from, to: 'json', options: [], family: 'pdf' }) satisfies Ability),
]

/** Two versions of a file to compare. */
export interface Versions {
  readonly source: SourceFile
  readonly other: SourceFile
  readonly to: string
  readonly options: OptionsOf<typeof abilities>
}

/** Compares two versions of an image, a PDF or a text with libvips, poppler and Python. */
export const compare: Engine = {
  id: 'compare',
  family: 'image',
  tools: [compareTool],
  cost: { startS: 0.5, perMiBS: 1 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const plan = planVersions(request, checked.source, checked.effective)
    return isFailure(plan) ? plan : { ...plan, warnings: [...checked.warnings, ...plan.warnings] }
  },
}

function planVersions({ roles, to }: PlanRequest, source: SourceFile, options: Versions['options']): Plan | Failure {
  const other = roles?.other
  if (!other || kindOf(other.format) !== kindOf(source.format)) {
    const text = 'Compare an image with an image, a PDF with a PDF, and a text with a text.'
    return failure('unsupported', { text })
  }
  const versions = { source, other, to, options }
  const kind = kindOf(source.format)
  if (kind === 'image') return planImages(versions)
  if (kind === 'pdf') return planPdfs(versions)
  const facts: JsonObject = { kind, pages: [] }
  return reportPlan(facts, [source.file, other.file])
}

function kindOf(format: string): 'image' | 'pdf' | 'text' {
  if (format === 'pdf') return 'pdf'
  return images.includes(format) ? 'image' : 'text'
}
