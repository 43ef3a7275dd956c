import type { GivenOptions } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import type { JsonObject, Plan } from '../engine.ts'
import { planTask } from '../registry.ts'
import { packages } from './package.ts'

const source = (format: string, n = 0) => ({ file: `in-${n}.${format}`, format, size: 1000, filename: `x.${format}` })

function paramsOf(options: GivenOptions): JsonObject | undefined {
  const plan = planTask({ operation: 'compress', sources: [source('docx')], to: 'docx', options }) as Plan
  const [step] = plan.steps
  return step?.kind === 'call' ? (step.request.params as JsonObject) : undefined
}

describe('compressing a document', () => {
  it('is offered for documents that are packages, each to itself', () => {
    const formats = 'docx docm dotx pptx pptm ppsx xlsx xlsm odt ods odp odg ott ots otp epub'.split(' ')
    expect(packages.abilities.map(({ from, to }) => [from, to])).toEqual(formats.map((one) => [one, one]))
  })

  it('is one call of the warm runner, and hands out the original where that is smaller', () => {
    const plan = planTask({ operation: 'compress', sources: [source('odt')], to: 'odt', options: {} })
    expect(plan).toMatchObject({
      steps: [{ kind: 'call', runner: 'vips', request: { op: 'compress-package', inputs: [{ file: 'in-0.odt' }] } }],
      outputs: [{ file: 'out-0.odt', format: 'odt', source: 0, unlessSmallerThan: 'in-0.odt' }],
    })
  })

  it('takes several documents, a step each', () => {
    const plan = planTask({
      operation: 'compress',
      sources: [source('docx'), source('docx', 1)],
      to: 'docx',
      options: {},
    })
    expect(plan).toMatchObject({
      steps: [{}, {}],
      outputs: [{ source: 0 }, { source: 1, unlessSmallerThan: 'in-1.docx' }],
    })
  })

  it('does by default what it does for the level it names as default', () => {
    expect(paramsOf({})).toEqual(paramsOf({ level: 'medium' }))
  })

  it('loses nothing at the lowest level', () => {
    expect(paramsOf({ level: 'low' })).toEqual({ losesColours: false, similarity: 1 })
  })

  it('takes a resolution and a quality instead of those of the level', () => {
    expect(paramsOf({ level: 'high', dpi: 200, quality: 80 })).toMatchObject({
      dpi: 200,
      quality: 80,
      similarity: 0.92,
    })
  })

  it('refuses a resolution at the level that loses nothing', () => {
    const plan = planTask({
      operation: 'compress',
      sources: [source('docx')],
      to: 'docx',
      options: { level: 'low', dpi: 72 },
    })
    expect(plan).toMatchObject({ kind: 'failure', code: 'unsupported' })
  })
})
