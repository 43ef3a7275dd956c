import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { usePlanBench } from './vitest.ts'

const bench = usePlanBench()

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>'

describe('a plan on the bench', () => {
  it('runs with the real engine and returns its outputs', async () => {
    const end = await bench.run({ operation: 'convert', sources: [{ format: 'svg', content: drawing }], to: 'png' })
    if (isFailure(end)) throw new Error(end.detail)
    expect(end.files).toMatchObject([{ format: 'png' }])
    expect(end.files[0]?.bytes.subarray(1, 4).toString()).toBe('PNG')
  })

  it('fails like the task would', async () => {
    const sources = [{ format: 'png', content: 'no picture' }]
    expect(await bench.run({ operation: 'convert', sources, to: 'jpg' })).toMatchObject({ code: 'input_damaged' })
  })
})

describe('a tool of the engine root', () => {
  it('reads files, prints text and writes files', async () => {
    const io = { files: { 'a.txt': 'hello' }, outputs: ['b.txt', 'missing'] }
    const { end, stdout, outputs } = await bench.tool('/bin/sh', ['-c', 'cat a.txt > b.txt; cat b.txt'], io)
    expect(end).toMatchObject({ kind: 'exited', code: 0 })
    expect(stdout).toBe('')
    expect(Object.keys(outputs)).toEqual(['b.txt'])
    expect(String(outputs['b.txt'])).toBe('hello')
  })
})
