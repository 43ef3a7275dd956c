import { type Failure, failure, isFailure, nameFile } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import { alongside, andThen } from '../alongside.ts'
import type { Plan, Step } from '../engine.ts'
import { type PageRange, parsePages } from '../page-ranges.ts'
import { unlockStep } from '../pages/open-pdf.ts'
import { planAfter } from '../pages/plan-after.ts'
import { examineStep, type PdfInfo, probeStep, readPdfInfo } from '../pages/probe.ts'
import { damaged, type Repair, repairs, tolerate } from '../pages/repair.ts'
import { pagesByFile } from './merge-options.ts'
import type { MergePart } from './merge-part.ts'
import type { PdfOptions } from './pdf-options.ts'

/** A part of a merge that every program can read, and its chosen pages. */
export interface OpenPart {
  readonly file: string
  /** The number of its source file, counted from 1. */
  readonly number: number
  readonly info: PdfInfo
  readonly ranges: readonly PageRange[]
}

type Then = (open: readonly OpenPart[]) => Plan | Failure

/** The request for all parts. */
interface Opening {
  readonly isStrict: boolean
  readonly pages: ReadonlyMap<number, string>
  readonly then: Then
}

/** Plans to make the parts, probe each, repair damaged ones and choose pages, and then to do what `then` plans. */
export function openParts(
  parts: readonly MergePart[],
  { pages, strict: isStrict = false }: PdfOptions,
  then: Then,
): Plan | Failure {
  const opening = { isStrict, pages: pagesByFile(pages), then }
  const looks = parts.map((part): Look => {
    const left = part.isForeign && !opening.isStrict ? repairs : []
    return { part, file: part.file, left }
  })
  return andThen(alongside(parts.map(({ plan }) => plan)), () => lookInto(looks, opening))
}

/** What is known of a part so far. */
interface Look {
  readonly part: MergePart
  /** The file that is read: the original or a repaired copy. */
  readonly file: string
  /** How the repaired copy is made. */
  readonly repair?: Repair
  /** Repairs that have not been tried yet. */
  readonly left: readonly Repair[]
  /** Undefined until the file has been probed. */
  readonly info?: PdfInfo
}

// All parts are probed in the same round, so that many files do not take many rounds.
function lookInto(looks: readonly Look[], opening: Opening): Plan | Failure {
  const steps = looks.map((look) => lookSteps(look))
  return {
    kind: 'plan',
    steps: steps.flat(),
    outputs: [],
    warnings: [],
    next({ stdout }) {
      let at = 0
      const seen = allOrFailure(
        looks.map((look, n) => {
          at += steps[n]?.length ?? 0
          return look.info === undefined ? readLook(look, stdout[at - 1] ?? '', opening) : look
        }),
      )
      if (isFailure(seen)) return seen
      return seen.every(({ info }) => info !== undefined) ? choosePages(seen, opening) : lookInto(seen, opening)
    },
  }
}

function lookSteps({ part, file, repair, left, info }: Look): readonly Step[] {
  if (info !== undefined) return []
  const look = part.isForeign ? examineStep(file, { isTolerant: left.length > 0 }) : probeStep(file)
  const steps = repair === undefined ? [look] : [repair(part.file, file), look]
  return steps.map((step) => ({ ...step, about: fileName(part) }))
}

const fileName = ({ number }: MergePart) => `File ${number}`

function readLook(look: Look, answer: string, { isStrict }: Opening): Look | Failure {
  const info = readPdfInfo(answer)
  const about = fileName(look.part)
  if (isFailure(info)) {
    return info.code === 'input_damaged' && look.left.length > 0 ? repaired(look) : nameFile(about, info)
  }
  if (!info.isDamaged || !isStrict) return { ...look, info }
  return nameFile(about, failure('input_damaged', { detail: 'the structure is damaged' }))
}

/** The same part after the next repair. */
function repaired({ part, left: [repair, ...left] }: Look): Look {
  if (repair === undefined) return { part, file: part.file, left }
  return { part, file: `repaired-${left.length}-${part.number}.pdf`, repair, left }
}

function choosePages(looks: readonly Look[], opening: Opening): Plan | Failure {
  const opened = allOrFailure(
    looks.map((look) => {
      const found = openPart(look, opening.pages)
      return isFailure(found) ? nameFile(fileName(look.part), found) : found
    }),
  )
  if (isFailure(opened)) return opened
  const plan = opening.then(opened.map(({ part }) => part))
  if (isFailure(plan)) return plan
  const whole = planAfter(
    opened.flatMap(({ unlocking }) => unlocking),
    { ...plan, warnings: [...opened.flatMap(({ warnings }) => warnings), ...plan.warnings] },
  )
  const again = repairMore(looks)
  return again === undefined ? whole : tolerate(whole, { files: 1 }, () => lookInto(again, opening))
}

/** Repairs the parts that are known to be damaged or, if none is, all that can be; undefined if none can. */
function repairMore(looks: readonly Look[]): readonly Look[] | undefined {
  const able = looks.filter(({ left }) => left.length > 0)
  if (able.length === 0) return undefined
  const suspects = able.filter(isDamaged)
  const chosen = new Set(suspects.length > 0 ? suspects : able)
  return looks.map((look) => (chosen.has(look) ? repaired(look) : look))
}

const isDamaged = ({ repair, info }: Look) => repair !== undefined || info?.isDamaged === true

interface Opened {
  readonly part: OpenPart
  readonly unlocking: readonly Step[]
  readonly warnings: readonly string[]
}

function openPart(look: Look, pages: Opening['pages']): Opened | Failure {
  const { part, file, info } = look
  const { number } = part
  if (info === undefined) return failure('input_damaged')
  const ranges = parsePages(pages.get(number), info.pages.length)
  if (isFailure(ranges)) return ranges
  const warnings = isDamaged(look) ? [`${fileName(part)}: ${damaged}`] : []
  if (!info.isEncrypted) return { part: { file, number, info, ranges }, unlocking: [], warnings }
  const open = `open-${number}.pdf`
  const unlocking = [{ ...unlockStep(file, open), about: fileName(part) }]
  return { part: { file: open, number, info, ranges }, unlocking, warnings }
}
