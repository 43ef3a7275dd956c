import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import type { Findings, JsonObject, Plan } from '../engine.ts'
import { planTask } from '../registry.ts'

function plan(format: string, options: GivenOptions = {}): Plan {
  const source = { file: `in-0.${format}`, format, size: 1000, filename: `a.${format}` }
  const made = planTask({ operation: 'optimize', sources: [source], to: format, options })
  if (isFailure(made)) throw new Error(made.text ?? made.code)
  return made
}

function paramsOf({ steps: [step] }: Plan): unknown {
  return step?.kind === 'call' ? step.request.params : undefined
}

function found(answer: JsonObject, sizes: Record<string, number>): Findings {
  return { stdout: [''], results: [{ warnings: [], ...answer }], sizes }
}

describe('a plan to optimize', () => {
  it('asks for the score of a level, and the formats in their order', () => {
    expect(paramsOf(plan('png'))).toMatchObject({ similarity: 98, formats: ['avif', 'webp', 'jpg', 'png'] })
    const some = { similarity: 'identical', formats: 'png,jpeg,webp', width: 100 }
    expect(paramsOf(plan('png', some))).toMatchObject({
      similarity: 100,
      formats: ['webp', 'jpg', 'png'],
      width: 100,
    })
    expect(paramsOf(plan('png', { similarity: 98.5 }))).toMatchObject({ similarity: 98.5 })
  })

  it.each([
    { similarity: 'best' },
    { similarity: 49 },
    { similarity: 101 },
    { formats: 'gif' },
    { formats: 'webp, jpg' },
    { formats: '' },
  ])('refuses %j', (options) => {
    const source = { file: 'in-0.png', format: 'png', size: 1000, filename: 'a.png' }
    const made = planTask({ operation: 'optimize', sources: [source], to: 'png', options })
    expect(made).toMatchObject({ kind: 'failure', code: 'unsupported' })
  })

  it('returns what the runner chose', () => {
    const next = plan('bmp').next
    expect(next).toBeDefined()
    const end = plan('png').next?.(found({ format: 'webp', isResized: false }, { 'in-0.png': 1000, 'best-0.bin': 300 }))
    expect(end).toEqual({
      kind: 'plan',
      steps: [],
      outputs: [{ file: 'best-0.bin', format: 'webp', source: 0 }],
      warnings: [],
    })
  })

  it('returns the input if its format is allowed and it is no larger', () => {
    const sizes = { 'in-0.png': 1000, 'best-0.bin': 1000 }
    const end = plan('png').next?.(found({ format: 'webp', isResized: false }, sizes))
    expect(end).toMatchObject({ outputs: [{ format: 'png', unlessSmallerThan: 'in-0.png' }] })
  })

  it.each([
    ['of another size', 'png', {}, true],
    ['of another format than allowed', 'png', { formats: 'webp' }, false],
    ['of another format than there is', 'gif', {}, false],
  ])('does not return the input %s, and warns if the result is larger', (_, format, options, isResized) => {
    const sizes = { [`in-0.${format}`]: 1000, 'best-0.bin': 2000 }
    const end = plan(format, options).next?.(found({ format: 'webp', isResized }, sizes))
    expect(end).toMatchObject({
      outputs: [{ file: 'best-0.bin', format: 'webp' }],
      warnings: [expect.stringMatching(/^The result is larger/)],
    })
    expect(JSON.stringify(end)).not.toContain('unlessSmallerThan')
  })

  it('asks another decoder for what libvips cannot read, and libvips to choose then', () => {
    const rescue = plan('png').next?.(found({ undecoded: 'in-0.png' }, { 'in-0.png': 1000 }))
    expect(rescue).toMatchObject({ steps: [{ kind: 'process', profile: 'magick' }] })
  })

  it('rejects an unknown format of the runner', () => {
    const end = plan('gif').next?.(found({ format: 'exe' }, { 'in-0.gif': 1000, 'best-0.bin': 10 }))
    expect(end).toMatchObject({ kind: 'failure', code: 'engine_crashed' })
  })
})
