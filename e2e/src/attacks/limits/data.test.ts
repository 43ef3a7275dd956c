import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { dataStep } from '../../../../packages/engines/src/data/data.ts'
import { limitOf, runStep, withLimit } from '../support/run-step.ts'
import { isWithin, steps } from './steps.ts'

const bench = usePlanBench()

const end = (step: number) => (isWithin(step) ? 'done' : 'limit_exceeded')
const stepOf = (from: string, to: string) =>
  dataStep({ input: `in-0.${from}`, from, output: `out-0.${to}`, to, indent: 2, separator: 'comma', types: 'auto' })

// With smaller numbers in the place of the largest ones: it is the same code that counts.
describe('bytes of data, 64 MiB', () => {
  it.each(steps)('%s [L-data-bytes]', async (_, step) => {
    const own = stepOf('json', 'yaml')
    expect(limitOf(own, 'bytes')).toBe(64 * 1024 ** 2)
    const content = '{"a": "words"}'
    const limited = withLimit(own, 'bytes', content.length - step)
    expect((await runStep(bench, limited, { 'in-0.json': content })).end).toBe(end(step))
  })
})

describe('text of YAML with its aliases, 64 MiB', () => {
  it.each(steps)('%s [L-data-bytes]', async (_, step) => {
    // The same 2,000 characters twice, and two keys: twice what the file has.
    const content = `a: &x ${'w'.repeat(2000)}\nb: *x\n`
    const limited = withLimit(stepOf('yaml', 'json'), 'bytes', 4002 - step)
    expect((await runStep(bench, limited, { 'in-0.yaml': content })).end).toBe(end(step))
  })
})

describe('values of data, 5,000,000', () => {
  it.each(steps)('%s [L-data-values]', async (_, step) => {
    const own = stepOf('json', 'yaml')
    expect(limitOf(own, 'values')).toBe(5_000_000)
    // The list, two objects, and three values.
    const content = '[{"a": 1, "b": 2}, {"c": 3}]'
    expect((await runStep(bench, withLimit(own, 'values', 6 - step), { 'in-0.json': content })).end).toBe(end(step))
  })
})

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('levels of JSON, 200', () => {
  it.each(steps)('%s [L-data-depth]', async (_, step) => {
    const own = stepOf('json', 'yaml')
    expect(limitOf(own, 'depth')).toBe(200)
    expect((await runStep(bench, own, { 'in-0.json': nested(200 + step) })).end).toBe(end(step))
  })
})

describe('levels of YAML, 200', () => {
  it.each(steps)('%s [L-data-depth]', async (_, step) => {
    expect((await runStep(bench, stepOf('yaml', 'json'), { 'in-0.yaml': nested(200 + step) })).end).toBe(end(step))
  })
})

describe('cells of a table, 10,000,000', () => {
  it.each(steps)('%s [L-data-cells]', async (_, step) => {
    const own = stepOf('json', 'csv')
    expect(limitOf(own, 'cells')).toBe(10_000_000)
    const content = '[{"a": 1}, {"b": 2}, {"c": 3}]'
    expect((await runStep(bench, withLimit(own, 'cells', 9 - step), { 'in-0.json': content })).end).toBe(end(step))
  })
})
