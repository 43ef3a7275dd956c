import type { PairRate } from '@lathe/domain'
import { engines } from '@lathe/engines'
import { processingOperations } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { isValid } from '../parse/check-fields.ts'
import { FormatListView } from '../schemas/query-views.ts'
import { indexPairRates } from './pair-rates.ts'
import { parseFormatsQuery, toFormatList } from './parse-format-query.ts'

const rate = (row: Partial<PairRate>): PairRate => ({
  operation: 'convert',
  from: 'jpg',
  to: 'webp',
  completed: 0,
  failed: 0,
  medianMs: null,
  ...row,
})
const list = (raw: Record<string, string>, rows: readonly PairRate[], operation: 'convert' | 'extract' = 'convert') =>
  toFormatList([], operation, parseFormatsQuery(raw), indexPairRates(rows))
const entry = (ext: string, ...given: Parameters<typeof list>) =>
  list(...given).formats.find((format) => format.ext === ext)

describe('the pairs of a format query', () => {
  it('have the engine and success rate of its tasks, by input and by output format and for aliases', () => {
    const rows = [rate({ completed: 1232, failed: 5, medianMs: 1234.5 })]
    const reported = { engine: 'vips', success_rate: 0.996, median_seconds: 1.23, tasks: 1200 }
    expect(entry('webp', { input_format: 'JPEG' }, rows)).toEqual({ ext: 'webp', ...reported })
    expect(entry('jpg', { output_format: 'webp' }, rows)).toEqual({ ext: 'jpg', ...reported })
    expect(entry('jpeg', { output_format: 'webp' }, rows)).toEqual({ ext: 'jpeg', alias_of: 'jpg', ...reported })
    expect(entry('png', { input_format: 'jpg' }, rows)).toEqual({ ext: 'png', engine: 'vips' })
    expect(isValid(FormatListView, list({ input_format: 'jpg' }, rows))).toBe(true)
  })

  it('have no rates for fewer than 20 tasks [D-http-77]', () => {
    const of = (completed: number, failed: number) =>
      entry('webp', { input_format: 'jpg' }, [rate({ completed, failed, medianMs: 10 })])
    expect(of(18, 1)).toEqual({ ext: 'webp', engine: 'vips' })
    expect(of(18, 2)).toMatchObject({ success_rate: 0.9, median_seconds: 0.01, tasks: 20 })
    expect(of(0, 99)).toMatchObject({ success_rate: 0, tasks: 99 })
    expect(of(100, 9)).toMatchObject({ success_rate: 0.917, tasks: 100 })
  })

  it('have no time where too few tasks were timed', () => {
    const found = entry('webp', { input_format: 'jpg' }, [rate({ completed: 30 })])
    expect(found).toEqual({ ext: 'webp', engine: 'vips', success_rate: 1, tasks: 30 })
  })

  it('count failures under the pair, however the request spells the output', () => {
    const rows = [
      rate({ from: 'png', to: 'jpg', completed: 30, medianMs: 500 }),
      rate({ from: 'png', to: 'jpeg', failed: 10 }),
    ]
    for (const given of [rows, rows.toReversed()]) {
      const found = entry('jpg', { input_format: 'png' }, given)
      expect(found).toMatchObject({ success_rate: 0.75, median_seconds: 0.5, tasks: 40 })
    }
  })

  it('count files from an archive under the archive', () => {
    const rows = [
      rate({ operation: 'extract', from: 'zip', to: 'txt', completed: 20 }),
      rate({ operation: 'extract', from: 'zip', to: 'pdf', completed: 10 }),
      rate({ operation: 'extract', from: 'zip', to: 'zip', failed: 10 }),
    ]
    expect(entry('zip', { input_format: 'zip' }, rows, 'extract')).toMatchObject({ success_rate: 0.75, tasks: 40 })
  })

  it('ignore operations that do not process files', () => {
    expect(indexPairRates([rate({ operation: 'import/url', completed: 50 })]).size).toBe(0)
  })

  it.each([{}, { input_format: '*' }, { output_format: '*' }])('are left out without one format: %j', (raw) => {
    const { formats } = list(raw, [rate({ completed: 100 })])
    expect(formats.filter((format) => 'engine' in format || 'tasks' in format)).toEqual([])
    expect(toFormatList([]).formats.filter((format) => 'engine' in format)).toEqual([])
  })

  it('all have an engine', () => {
    const ids = new Set(engines.map(({ id }) => id))
    for (const operation of processingOperations) {
      for (const { ext } of toFormatList([], operation, { output: '*' }).formats) {
        const { formats } = toFormatList([], operation, { input: ext })
        expect(formats.filter(({ engine }) => engine === undefined || !ids.has(engine))).toEqual([])
      }
    }
  })
})
