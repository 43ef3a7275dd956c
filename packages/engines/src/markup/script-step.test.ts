import { expect, it } from 'vitest'
import { reportOf } from './script-step.ts'

it('takes what scripts printed together, however much it is', () => {
  expect(reportOf(['{"a": 1}\n', '{"b": 2}\nno JSON\n{"a": 3}\n'])).toEqual({ a: 3, b: 2 })
  expect(reportOf(['{}\n'.repeat(350_000)])).toEqual({})
})
