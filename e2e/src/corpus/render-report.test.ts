import { describe, expect, it } from 'vitest'
import { renderReport } from './render-report.ts'
import type { Result } from './result.ts'

const result = (more: Partial<Result>): Result => ({
  file: 'c/a.docx',
  size: 1,
  ext: 'docx',
  format: 'docx',
  to: 'pdf',
  verdict: 'same',
  ours: { end: 'converted', ms: 100, facts: { format: 'pdf', pages: 3 } },
  bare: { end: 'converted', ms: 200 },
  isTimed: true,
  ...more,
})

const render = (...results: Result[]) =>
  renderReport(results, { collections: ['c'], total: 9, measured: {}, disagreements: [] })

describe('the report on real files', () => {
  it('counts by format and target, with the median time next to the bare tool’s', () => {
    expect(render(result({}), result({ file: 'c/b.docx' }))).toContain(
      '| docx → pdf | 2 | 2 | 0 | 0 | 0 | 0 | 0.50 (2) |',
    )
  })

  it('lists what is worse and why', () => {
    const page = render(result({ verdict: 'worse', why: '1 pages\ninstead of 2' }))
    expect(page).toContain('- c/a.docx → pdf: 1 pages instead of 2')
    expect(page).toContain('1 converted, 1 worse than bare')
  })

  it('does not count what needs a password, and says so', () => {
    const page = render(result({ verdict: 'worse', ours: { end: 'input_encrypted', ms: 1 } }))
    expect(page).toContain('0 worse than bare')
    expect(page).toContain('| c/a.docx | pdf | encrypted | It is protected by a password, which is not given. |')
  })

  it('names files that take much longer than with the bare tool', () => {
    expect(render(result({ ours: { end: 'converted', ms: 2100 } }))).toContain('| c/a.docx | pdf | 2100 | 200 |')
    expect(render(result({ ours: { end: 'converted', ms: 1900 } }))).not.toContain('| c/a.docx | pdf | 1900')
  })

  it('shows how close the largest file comes to a limit', () => {
    const measured = { pdfPages: { largest: { value: 3, file: 'c/a.pdf' }, beyond: [] } }
    const page = renderReport([result({})], { collections: ['c'], total: 9, measured, disagreements: [] })
    expect(page).toContain('| 10,000 | 3 | c/a.pdf | 0.0 % |')
  })
})
