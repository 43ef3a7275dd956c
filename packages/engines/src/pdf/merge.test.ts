import { type Failure, failure, isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../engine.ts'
import { a4, commands, requested, second, source } from '../testing/pdf-plans.ts'
import { pdf } from './pdf.ts'

describe('a merge', () => {
  function nextOf(plan: Plan | Failure, stdout: readonly string[]): Plan | Failure {
    if (isFailure(plan)) return plan
    return plan.next?.({ stdout, results: stdout.map(() => ({})), sizes: {} }) ?? failure('unsupported')
  }

  const sources = [source('pdf'), source('jpg', 1), source('wmf', 2)]

  it('makes each file a PDF, then takes the pages asked for', () => {
    const plan = pdf.plan(requested({ operation: 'merge', sources, to: 'pdf', options: { pages: '1:2-;3:1' } }))
    expect(commands(plan)).toEqual(['vips', 'office', 'qpdf --warning-exit-0 out-0.pdf part-2.pdf'])
    const look = nextOf(plan, ['', '', ''])
    expect(commands(look)).toEqual([
      'sh probe.sh in-0.pdf pdfinfo -f 1 -l 10001 in-0.pdf',
      ...['part-1.pdf', 'part-2.pdf'].map((file) => `pdfinfo -f 1 -l 10001 ${file}`),
    ])
    expect(commands(nextOf(look, [a4(3), a4(3), a4(3)]))[0]).toBe(
      'qpdf --warning-exit-0 --empty --pages in-0.pdf 2-3 part-1.pdf 1-3 part-2.pdf 1 -- a-0.pdf',
    )
  })

  it('stops at 10,000 pages altogether', () => {
    const both = [source('pdf'), source('pdf', 1)]
    expect(isFailure(second({ operation: 'merge', sources: both, to: 'pdf' }, a4(5000)))).toBe(false)
    expect(second({ operation: 'merge', sources: both, to: 'pdf' }, a4(5001))).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('10002 pages'),
    })
  })

  it('repairs only the files that do not open, and warns of each by its number', () => {
    const sources = [source('pdf'), source('pdf', 1)]
    const plan = pdf.plan(requested({ operation: 'merge', sources, to: 'pdf' }))
    const repair = nextOf(plan, [a4(1), ''])
    expect(commands(repair)).toEqual([
      expect.stringMatching(/^timeout \d+ mutool clean -D in-1.pdf repaired-2-2.pdf$/),
      'sh probe.sh repaired-2-2.pdf pdfinfo -f 1 -l 10001 repaired-2-2.pdf',
    ])
    const join = nextOf(repair, ['', a4(2)])
    expect(commands(join)[0]).toContain('--pages in-0.pdf 1 repaired-2-2.pdf 1-2 --')
    const sizes = { 'a-0.pdf': 1, 'out-0.pdf': 1 }
    const end = isFailure(join) ? join : join.next?.({ stdout: ['', ''], results: [{}, {}], sizes })
    expect(end).toMatchObject({ warnings: [expect.stringMatching(/^File 2: The PDF is damaged/)] })
    const strict = pdf.plan(requested({ operation: 'merge', sources, to: 'pdf', options: { strict: true } }))
    expect(nextOf(strict, [a4(1), ''])).toMatchObject({
      code: 'input_damaged',
      text: expect.stringMatching(/^File 2: /),
    })
  })

  it('repairs all files where they cannot be joined and none is known to be damaged', () => {
    const sources = [source('pdf'), source('pdf', 1)]
    const plan = pdf.plan(requested({ operation: 'merge', sources, to: 'pdf' }))
    const again = nextOf(nextOf(plan, [a4(1), a4(1)]), ['', ''])
    expect(commands(again).filter((line) => line.includes('mutool'))).toHaveLength(2)
  })

  it('to gif draws the pages of documents and takes images as they are', () => {
    const asked = { operation: 'merge', sources: [source('jpg'), source('pdf', 1)], to: 'gif' } as const
    const options = { pages: '2:3,1', dpi: 72, delay: 500 }
    expect(commands(pdf.plan(requested({ ...asked, options })))).toEqual([
      'sh probe.sh in-1.pdf pdfinfo -f 1 -l 10001 in-1.pdf',
    ])
    const next = second({ ...asked, options })
    expect(commands(next)).toEqual([
      'pdftoppm -png -cropbox -r 72 -f 1 -l 1 in-1.pdf pagec',
      'pdftoppm -png -cropbox -r 72 -f 3 -l 3 in-1.pdf pagec',
    ])
    const sizes = { 'in-0.jpg': 1, 'pagec-1.png': 1, 'pagec-3.png': 1 }
    const join = isFailure(next) ? next : next.next?.({ stdout: ['', ''], results: [{}, {}], sizes })
    expect(join === undefined || isFailure(join) ? join : join.steps.at(-1)).toMatchObject({
      request: {
        op: 'merge',
        inputs: [{ file: 'in-0.jpg' }, { file: 'pagec-3.png' }, { file: 'pagec-1.png' }],
        params: { delay: 500 },
      },
    })
  })

  it('to gif stops at 2,000 frames before it draws one', () => {
    const both = [source('pdf'), source('pdf', 1)]
    expect(isFailure(second({ operation: 'merge', sources: both, to: 'gif' }, a4(1000)))).toBe(false)
    expect(second({ operation: 'merge', sources: both, to: 'gif' }, a4(1001))).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('2002 frames'),
    })
  })
})
