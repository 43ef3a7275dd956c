import { type Failure, failure, isFailure, nameFile } from '@lathe/domain'
import { abilitiesOf } from '../abilities-of.ts'
import { aboutFile, ended } from '../alongside.ts'
import { planDocument } from '../documents/plan-document.ts'
import type { Plan, PlanRequest, SourceFile, Step } from '../engine.ts'
import { unlockStep } from '../pages/open-pdf.ts'
import { qpdfStep } from '../pages/qpdf-step.ts'
import { abilities as pictureAbilities } from '../pictures/abilities.ts'
import { abilities as decodedAbilities } from '../pictures/decoded-abilities.ts'
import { sheetOptions } from '../pictures/pdf-options.ts'
import { toParams } from '../pictures/picture-call.ts'
import { planPicture } from '../pictures/plan-picture.ts'
import { checkPlanOptions } from '../plan-options.ts'
import type { PdfOptions } from './pdf-options.ts'

/** A merge request with checked options. */
export type MergeRequest = Omit<PlanRequest, 'options'> & { readonly options: PdfOptions }

/** A file of a merge as a PDF, and the plan that converts it. */
export interface MergePart {
  readonly file: string
  /** The number of the source file, counted from 1. */
  readonly number: number
  /** Whether the PDF was uploaded, and may be damaged, rather than made by us. */
  readonly isForeign: boolean
  readonly plan: Plan
}

const pictures = [...pictureAbilities, ...decodedAbilities]

/** Plans the conversion of the n-th file of a merge to a PDF that needs no password. */
export function mergePart({ sources, options }: MergeRequest, n: number): MergePart | Failure {
  const source = sources[n]
  if (source === undefined) return failure('unsupported')
  const made = makePdf(source, n, options)
  const number = n + 1
  if (isFailure(made)) return nameFile(`File ${number}`, made)
  return { ...made, number, plan: aboutFile(number, made.plan), isForeign: source.format === 'pdf' }
}

type Made = Pick<MergePart, 'file' | 'plan'>

function makePdf(source: SourceFile, n: number, options: PdfOptions): Made | Failure {
  const file = `part-${n}.pdf`
  if (source.format === 'pdf') return pdfPart(source, file, options.password)
  const asked: MergeRequest = { operation: 'convert', sources: [source], to: 'pdf', options }
  return isPicture(source.format) ? picturePart(asked, source, n) : officePart(asked, file)
}

function pdfPart(source: SourceFile, file: string, password: string | undefined): Made {
  if (password === undefined) return { file: source.file, plan: doing([]) }
  return { file, plan: doing([unlockStep(source.file, file, password)]) }
}

function doing(steps: readonly Step[]): Plan {
  return { ...ended([]), steps }
}

const becomePages = new Set(
  abilitiesOf(pictures, 'convert')
    .filter(({ to }) => to === 'pdf')
    .map(({ from }) => from),
)

/** Whether a format is an image that can become a page. */
export function isPicture(format: string): boolean {
  return becomePages.has(format)
}

function picturePart(asked: MergeRequest, source: SourceFile, n: number): Made | Failure {
  const file = `part-${n}.pdf`
  const own = pictures.find(({ operation, from, to }) => isSame({ operation, from, to }, asked))?.options ?? []
  // A merge accepts the options of all its files; this file gets only those that it supports.
  const known = new Set<string>(own.map(({ name }) => name))
  const options = Object.fromEntries(Object.entries(asked.options).filter(([name]) => known.has(name)))
  const checked = checkPlanOptions(pictures, { ...asked, options }, asked.sources)
  if (isFailure(checked)) return checked
  const params = { ...toParams(checked), ...toParams({ descriptors: sheetOptions, effective: asked.options }) }
  const plan = planPicture({ n, source, params, operation: 'convert', to: 'pdf', out: file })
  return isFailure(plan) ? plan : { file, plan }
}

function isSame(ability: { operation: string; from: string; to: string }, { operation, sources, to }: PlanRequest) {
  return ability.operation === operation && ability.from === sources[0]?.format && ability.to === to
}

// The office engine always uses the same output name, so each result is renamed before the next file is converted.
function officePart(asked: PlanRequest, file: string): Made | Failure {
  const plan = planDocument({ ...asked, options: {} })
  if (isFailure(plan)) return plan
  const [made] = plan.outputs
  if (plan.next !== undefined || made === undefined) return failure('unsupported')
  return { file, plan: doing([...plan.steps, qpdfStep([made.file, file], { out: file })]) }
}
