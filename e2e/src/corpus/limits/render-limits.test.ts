import { describe, expect, it } from 'vitest'
import { allLimits } from '../../../../scripts/generate/limits/all-limits.ts'
import { renderLimits } from './render-limits.ts'

describe('the table of limits and real files', () => {
  it('shows the limit, the largest value, its file and its share', () => {
    const page = renderLimits({ pdfPages: { largest: { value: 41, file: 'c/a|b.pdf' }, beyond: [] } })
    expect(page).toContain('| Pages of a PDF, or of the result of a merge | 10,000 | 41 | c/a b.pdf | 0.4 % |  |')
  })

  it('names files beyond a limit', () => {
    const page = renderLimits({ pdfPages: { beyond: [{ value: 10_001, file: 'c/a.pdf' }] } })
    expect(page).toContain('| 10,000 | no such file |  |  | c/a.pdf (10,001) |')
  })

  it('reads bytes and times as people do', () => {
    const page = renderLimits({
      mailBytes: { largest: { value: 3 * 1024 ** 2, file: 'm' }, beyond: [] },
      mediaSeconds: { largest: { value: 7200, file: 'v' }, beyond: [] },
    })
    expect(page).toContain('| 256 MiB | 3.0 MiB | m | 1.2 % |')
    expect(page).toContain('| 200 hours | 2.0 hours | v | 1.0 % |')
  })

  it('has every limit of the page, measured or with a reason', () => {
    const page = renderLimits({})
    for (const { name } of allLimits.flatMap(({ limits }) => limits)) expect(page).toContain(name.split(':')[0])
  })
})
