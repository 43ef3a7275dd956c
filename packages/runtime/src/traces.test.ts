import { describe, expect, it } from 'vitest'
import { openTraces } from './open-traces.ts'
import { attemptSpanId, formatTraceParent, noSpan, parseTraceParent, traced } from './traces.ts'

const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }

describe('a trace context', () => {
  it('is read as it was written', () => {
    expect(parseTraceParent(formatTraceParent(context))).toEqual(context)
  })

  it.each([
    undefined,
    null,
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`,
    `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01-more`,
  ])('is none if it is %s', (text) => {
    expect(parseTraceParent(text)).toBeUndefined()
  })

  it('of an attempt can be derived by every process, and differs for each', () => {
    const ids = [attemptSpanId('t1', 1), attemptSpanId('t1', 1), attemptSpanId('t1', 2), attemptSpanId('t2', 1)]
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/)
  })
})

it('records nothing without a collector', async () => {
  await using traces = await openTraces('test', { endpoint: '', share: 1 })
  expect(traces.isOn).toBe(false)
  expect(traces.begin('request')).toBe(noSpan)
  expect(traces.resume(formatTraceParent(context), 'task')).toBe(noSpan)
  expect(noSpan.child('part')).toBe(noSpan)
})

it('returns the result of the work, and throws its errors', async () => {
  expect(await traced(noSpan, 'part', async () => 7)).toBe(7)
  await expect(traced(noSpan, 'part', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
