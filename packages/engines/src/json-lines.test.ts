import { expect, it } from 'vitest'
import { readJsonLines, wordIn } from './json-lines.ts'
import { readReport } from './mail/report.ts'
import { warningTexts } from './pandoc/warnings.ts'

const hostile = [
  '{"file":{"toString":1},"name":{"toString":1},"left":1}\n{"warnings":[{"toString":1},"parts"]}\n{[\n{"a":',
]

it('S1: leaves out lines that are no JSON', () => {
  expect(readJsonLines(['{"a":1}\n{[[[\nnoise\n{"b":2}'])).toEqual([{ a: 1 }, { b: 2 }])
  expect([wordIn({ toString: 1 }), wordIn('x')]).toEqual(['', 'x'])
})

it('S1: reports of scripts are read whatever they hold', () => {
  expect(readReport(hostile, true).outputs).toEqual([])
  expect(warningTexts(hostile, 'pdf')).toHaveLength(1)
})
