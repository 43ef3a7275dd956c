import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { planTask } from '../registry.ts'

const { fill } = (await import(new URL('./html.mjs', import.meta.url).href)) as {
  fill(text: string, filling: object, depth: number): string
}

const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

describe('bytes of the parts of a page, 256 MiB [L-page-html]', () => {
  it('is the limit that a page is checked against', () => {
    const source = { file: 'in-0.mhtml', format: 'mhtml', size: 1000, filename: 'x.mhtml' }
    const plan = planTask({ operation: 'convert', sources: [source], to: 'html', options: {} })
    expect(isFailure(plan) ? [] : plan.steps).toMatchObject([{ request: { op: 'html', maxBytes: 256 * 1024 ** 2 } }])
  })

  // Uses a smaller limit than 256 MiB; the code that counts is the same.
  it.each(steps)('%s', (_, step) => {
    const part = { type: 'image/png', charset: undefined, location: '', id: '', bytes: Buffer.alloc(300) }
    const marked = 'mark 0. and mark 0.'
    const filling = { pattern: /mark (\d+)\./g, marks: {}, parts: [part], room: { bytes: 2 * 400 - step } }
    if (step <= 0) expect(fill(marked, filling, 0)).toMatch(/^data:image\/png;base64,A{400} and data:/)
    else expect(() => fill(marked, filling, 0)).toThrow(expect.objectContaining({ code: 'limit_exceeded' }))
  })
})
