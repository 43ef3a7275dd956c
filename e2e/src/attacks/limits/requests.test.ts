import { parseJob } from '@lathe/contract'
import { isFailure } from '@lathe/domain'
import { createOutbound } from '@lathe/outbound'
import { describe, expect, it } from 'vitest'
import { answers, sends, startFileServer } from '../../file-server.ts'
import { isWithin, steps } from './steps.ts'

const upload = { operation: 'import/upload' }
const jobOf = (tasks: readonly (readonly [string, unknown])[]) => () => parseJob({ tasks: Object.fromEntries(tasks) })

describe('tasks of a job, 100', () => {
  it.each(steps)('%s [L-tasks]', (_, step) => {
    const job = jobOf(Array.from({ length: 100 + step }, (_task, n) => [`t${n}`, upload]))
    if (isWithin(step)) expect(job().tasks).toHaveLength(100 + step)
    else expect(job).toThrow('must hold 1 to 100 tasks')
  })
})

describe('tasks of a job in a row, 20', () => {
  it.each(steps)('%s [L-row]', (_, step) => {
    const convert = (n: number) => ({ operation: 'convert', input: `t${n - 1}`, output_format: 'png' })
    const job = jobOf(Array.from({ length: 20 + step }, (_task, n) => [`t${n}`, n === 0 ? upload : convert(n)]))
    if (isWithin(step)) expect(job().tasks).toHaveLength(20 + step)
    else expect(job).toThrow('in a row')
  })
})

describe('levels of a JSON body, 32', () => {
  it.each(steps)('%s [L-nesting]', (_, step) => {
    // The body and its field are two of them.
    const deep = (levels: number): unknown => (levels === 0 ? 'x' : [deep(levels - 1)])
    const parse = () => parseJob({ tasks: { a: upload }, tag: deep(32 + step - 1) })
    // A tag is text, so what is not too deep is refused for that.
    expect(parse).toThrow(isWithin(step) ? /^tag/ : /nested deeper than 32/)
  })
})

describe('entries of input, 1,000', () => {
  it.each(steps)('%s [L-input-names]', (_, step) => {
    const input = Array.from({ length: 1000 + step }, () => 'a')
    const job = jobOf([
      ['a', upload],
      ['m', { operation: 'merge', input, output_format: 'pdf' }],
    ])
    if (isWithin(step)) expect(job().tasks).toHaveLength(2)
    else expect(job).toThrow('1000')
  })
})

describe('entries of input in a job, 2,000', () => {
  it.each(steps)('%s [L-input-names-job]', (_, step) => {
    const merge = (count: number) => ({ operation: 'merge', input: Array(count).fill('a'), output_format: 'pdf' })
    const job = jobOf([
      ['a', upload],
      ['m', merge(1000)],
      ['n', merge(999 + step)],
      ['o', { operation: 'export/url', input: 'm' }],
    ])
    if (isWithin(step)) expect(job().tasks).toHaveLength(4)
    else expect(job).toThrow('2000')
  })
})

describe('characters of base64 data, 1,572,864', () => {
  it.each(steps)('%s [L-base64]', (_, step) => {
    // Base64 of one character too few for a whole byte does not exist, so its padding is left out.
    const length = 1_572_864 + step
    const data = length % 4 === 1 ? `${'A'.repeat(length - 4)}AA==A` : 'A'.repeat(length)
    const file = `data:text/plain;base64,${data}`
    const job = jobOf([['a', { operation: 'import/base64', file, filename: 'a.txt' }]])
    if (isWithin(step)) expect(job().tasks).toHaveLength(1)
    else expect(job).toThrow('1572864')
  })
})

describe('redirects of an import, 5', () => {
  it.each(steps)('%s [L-redirects]', async (_, step) => {
    const hops = 5 + step
    const pages = Array.from(
      { length: hops },
      (_page, n) => [`/${n}`, answers(302, { location: `/${n + 1}` })] as const,
    )
    await using server = await startFileServer({ ...Object.fromEntries(pages), [`/${hops}`]: sends(Buffer.from('x')) })
    await using outbound = createOutbound({ allow: ['127.0.0.0/8'] })
    const got = await outbound.get(`${server.url}/0`, { signal: AbortSignal.timeout(20_000), maxSize: 1000 })
    if (!isFailure(got)) got.body.destroy()
    if (isWithin(step)) expect(got).toMatchObject({ status: 200 })
    else expect(got).toMatchObject({ kind: 'failure', code: 'source_refused' })
  })
})
