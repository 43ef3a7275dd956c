import { isFailure } from '@lathe/domain'
import { pagesWord, takesTogether } from '@lathe/operations'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue, Plan, PlanRequest, SourceFile } from '../engine.ts'
import { abilities } from '../pictures/abilities.ts'
import { arbitraryOptions } from '../testing/option-values.ts'
import { vips } from './vips.ts'

function source(format: string, n = 0): SourceFile {
  return { file: `in-${n}.${format}`, format, size: 1000, filename: `../Holiday;rm -rf ${n}.${format}` }
}

function plan(request: Partial<PlanRequest>): Plan {
  const planned = vips.plan({ operation: 'convert', sources: [source('jpg')], to: 'webp', options: {}, ...request })
  if (isFailure(planned)) throw new Error(planned.text)
  return planned
}

describe('the plan of a conversion', () => {
  it('is one call with all options explicit [S-opt-05]', () => {
    expect(plan({ options: { quality: '70' } })).toEqual({
      next: expect.any(Function),
      kind: 'plan',
      steps: [
        {
          kind: 'call',
          runner: 'vips',
          request: {
            op: 'convert',
            inputs: [{ file: 'in-0.jpg', format: 'jpg' }],
            outputs: [{ file: 'out-0.webp', format: 'webp' }],
            params: { strip: true, fit: 'inside', rotate: '0', quality: 70, lossless: false, effort: 4, strict: false },
            limits: {
              pixels: 268_402_689,
              frames: 2000,
              animationPixels: 1_000_000_000,
              svgBytes: 33_554_432,
              svgDepth: 256,
              pdfPages: 10_000,
              splitPages: 10_000,
              pdfInputBytes: 268_435_456,
            },
            rescue: true,
          },
          outputs: ['out-0.webp'],
          limits: { timeMs: 120_000, memoryBytes: 1_073_741_824, outputBytes: 2_147_483_648 },
        },
      ],
      outputs: [{ file: 'out-0.webp', format: 'webp', source: 0 }],
      warnings: [],
    })
  })

  it('ends after a successful call, and tries other decoders if libvips could not read the file', () => {
    const { next } = plan({ sources: [source('tiff')], to: 'png' })
    const sizes = {}
    expect(next?.({ stdout: [''], results: [{ warnings: [] }], sizes })).toMatchObject({ steps: [] })
    const rescue = next?.({ stdout: [''], results: [{ warnings: [], undecoded: 'in-0.tiff' }], sizes })
    expect(JSON.stringify(rescue)).toContain('tiff:in-0.tiff')
  })

  it('has a step for each source, so that steps can be spread [D-op-14]', () => {
    const { steps, outputs } = plan({ sources: [source('jpg'), source('png', 1)], to: 'avif' })
    expect(steps.map((step) => step.outputs)).toEqual([['out-0.avif'], ['out-1.avif']])
    expect(outputs.map((output) => output.source)).toEqual([0, 1])
  })

  it('turns a page size into points', () => {
    const { steps } = plan({ to: 'pdf', options: { pdf_page_size: '1240.2x1753.95', enlarge_images_to_fit: false } })
    const [step] = steps
    if (step?.kind !== 'call') throw new Error('expected a call')
    const { page, enlarge_images_to_fit } = step.request.params as Record<string, { width: number; height: number }>
    expect(page?.width).toBeCloseTo(595.296)
    expect(page?.height).toBeCloseTo(841.896)
    expect(enlarge_images_to_fit).toBe(false)
  })

  it('names an option without effect in its warnings', () => {
    const { warnings } = plan({ to: 'pdf', options: { enlarge_images_to_fit: true } })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('enlarge_images_to_fit')
  })

  it('fails as unsupported for an option its input does not have', () => {
    const planned = vips.plan({ operation: 'convert', sources: [source('jpg')], to: 'png', options: { density: 300 } })
    expect(planned).toMatchObject({ kind: 'failure', code: 'unsupported' })
  })
})

describe('the plan of a merge', () => {
  it('is one step for all sources in their order', () => {
    const sources = [source('png'), source('jpg', 1), source('svg', 2)]
    const { steps, outputs } = plan({ operation: 'merge', sources, to: 'gif' })
    expect(outputs).toEqual([{ file: 'out-0.gif', format: 'gif' }])
    expect(steps).toHaveLength(1)
    expect(steps[0]).toMatchObject({
      request: { inputs: [{ file: 'in-0.png' }, { file: 'in-1.jpg' }, { file: 'in-2.svg' }] },
    })
  })

  it('needs two files [S-proc-07, D-op-28]', () => {
    const planned = vips.plan({ operation: 'merge', sources: [source('jpg')], to: 'gif', options: {} })
    expect(planned).toMatchObject({ kind: 'failure', code: 'unsupported' })
  })

  it('does not make a gif of a pdf', () => {
    const sources = [source('jpg'), source('pdf', 1)]
    expect(vips.plan({ operation: 'merge', sources, to: 'gif', options: {} })).toMatchObject({ kind: 'failure' })
  })
})

describe('any plan', () => {
  it('holds no string but operations, formats, our own file names and words of an enum', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const planned = vips.plan(asked)
        if (isFailure(planned)) return
        const strings = planned.steps.flatMap((step) => (step.kind === 'call' ? stringsIn(step.request) : [step.kind]))
        const strangers = strings.filter((text) => !words.has(text) && !ours.test(text))
        expect(strangers).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('comes of any valid set of options', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const planned = vips.plan(asked)
        // Random options may contradict each other, such as quality and lossless, or lack what another option needs.
        if (isFailure(planned)) expect(planned.text).toMatch(/works only without|ranges is required/)
      }),
      { numRuns: 1000 },
    )
  })
})

// Our file names, colors and page numbers.
const ours = new RegExp(String.raw`^(?:(?:in|out|stamp)-\d+\.[a-z]+|#[0-9a-f]{6}|${pagesWord})$`)

const words = new Set([
  'stamp',
  ...abilities.flatMap(({ operation, from, to, options }) => [
    operation,
    from,
    to,
    ...options.flatMap((option) => [option.default_value, ...(option.enum_values?.map(({ value }) => value) ?? [])]),
  ]),
])

const request: fc.Arbitrary<PlanRequest> = fc.constantFrom(...abilities).chain((ability) =>
  arbitraryOptions(ability.options).map((options) => {
    const { operation, from, to } = ability
    const sources = takesTogether(operation) ? [source(from), source(from, 1)] : [source(from)]
    return { operation, sources, to, options }
  }),
)

function stringsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}
