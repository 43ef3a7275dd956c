import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import type { Plan, ProcessStep } from '../engine.ts'
import { planTask } from '../registry.ts'
import { injections } from '../testing/option-values.ts'
import { dicomLimits } from './limits.ts'

const source = { file: 'in-0.dcm', format: 'dcm', size: 1000, filename: 'x.dcm' }
const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

interface Header {
  readonly rows?: number
  readonly columns?: number
  readonly frames?: number | string
  readonly syntax?: string
  readonly more?: string
}

const head = ({ rows = 10, columns = 10, frames = 1, syntax = '1.2.840.10008.1.2.1', more = '' }: Header) =>
  [
    `(0002,0010) UI [${syntax}]                    #  20, 1 TransferSyntaxUID`,
    `(0028,0008) IS [${frames}]                    #   2, 1 NumberOfFrames`,
    `(0028,0010) US ${rows}                        #   2, 1 Rows`,
    `(0028,0011) US ${columns}                     #   2, 1 Columns`,
    more,
  ].join('\n')

/** The plan that follows after the header was read. */
function planFor(answer: string, options: GivenOptions = {}, to = 'png') {
  const plan = planTask({ operation: 'convert', sources: [source], to, options })
  if (isFailure(plan) || plan.next === undefined) throw new Error('nothing is planned')
  return plan.next({ stdout: [answer], results: [{}], sizes: {} })
}

const codeOf = (plan: ReturnType<typeof planFor>) => (isFailure(plan) ? plan.code : 'planned')
const endOf = (step: number) => (step <= 0 ? 'planned' : 'limit_exceeded')

function processesOf(plan: ReturnType<typeof planFor>): readonly ProcessStep[] {
  if (isFailure(plan)) throw new Error(plan.text)
  return plan.steps.flatMap((step) => (step.kind === 'process' ? [step] : []))
}

describe('frames of a DICOM file, 2,000', () => {
  it.each(steps)('%s [L-dicom-frames]', (_, step) => {
    const answer = head({ frames: dicomLimits.frames + step })
    expect(codeOf(planFor(answer))).toBe(endOf(step))
    expect(codeOf(planFor(answer, { frame: 1 }))).toBe('planned')
  })
})

describe('pixels of a DICOM image, 100,000,000', () => {
  it.each(steps)('%s [L-dicom-pixels]', (_, step) => {
    const answer = head({ rows: 1, columns: dicomLimits.pixels + step })
    expect(codeOf(planFor(answer))).toBe(endOf(step))
  })
})

describe('a DICOM file', () => {
  it.each([
    ['1.2.840.10008.1.2.4.90', 'JPEG 2000'],
    ['1.2.840.10008.1.2.4.91', 'JPEG 2000'],
    ['1.2.840.10008.1.2.4.201', 'JPEG 2000'],
    ['1.2.840.10008.1.2.4.102', 'video'],
    ['1.2.840.10008.1.2.4.110', 'JPEG XL'],
  ])('stored as %s is refused by name', (syntax, name) => {
    expect(planFor(head({ syntax }))).toMatchObject({ code: 'unsupported', text: expect.stringContaining(name) })
  })

  it('without an image is refused', () => {
    expect(planFor('')).toMatchObject({ code: 'unsupported', text: expect.stringContaining('no image') })
  })

  it('has only the frames it has', () => {
    expect(planFor(head({ frames: 3 }), { frame: 4 })).toMatchObject({ code: 'unsupported' })
    expect(processesOf(planFor(head({ frames: 3 }), { frame: 3 }))[0]?.args).toContain('+F')
  })

  it('of many large frames is converted by several runs', () => {
    const runs = processesOf(planFor(head({ rows: 4000, columns: 4000, frames: 10 })))
    expect(runs.map(({ args }) => args.slice(args.indexOf('+Fr') + 1, args.indexOf('+Fr') + 3))).toEqual([
      ['1', '4'],
      ['5', '4'],
      ['9', '2'],
    ])
  })

  it('reports whether the image contains burned-in text', () => {
    const warningsOf = (value: string) => {
      const plan = planFor(head({ more: `(0028,0301) CS [${value}]  #   2, 1 BurnedInAnnotation` }))
      return isFailure(plan) ? [] : plan.warnings
    }
    expect(warningsOf('YES ')).toEqual([expect.stringContaining('are drawn into the image')])
    expect(warningsOf('NO')).toEqual([])
    expect((planFor(head({})) as Plan).warnings).toEqual([expect.stringContaining('before you share it')])
  })

  it('with an invalid header is planned with numbers only', () => {
    for (const value of [...injections, '3\\4', '-1', '1e9', '99999999999999999999']) {
      const plan = planFor(head({ frames: value }))
      if (isFailure(plan)) expect(['limit_exceeded', 'unsupported']).toContain(plan.code)
      else for (const arg of processesOf(plan).flatMap(({ args }) => args)) expect(arg).toMatch(/^[\w.+-]+$/)
    }
  })

  it('is asked for its values where it names no window', () => {
    const plan = planFor(head({})) as Plan
    const [first] = processesOf(plan)
    expect(first?.args).toContain('+Wi')
    expect(first?.readExit?.({ code: 1, stderr: 'F: cannot select VOI window 1, only 0 window(s) in file' })).toEqual({
      hasFailed: true,
    })
    const again = plan.next?.({ stdout: [''], results: [{}], failed: [true], sizes: {} })
    expect(again && processesOf(again)[0]?.args).toContain('+Wm')
  })
})
