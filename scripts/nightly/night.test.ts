import { describe, expect, it } from 'vitest'
import { beginNight, selectNamed } from './night.ts'

const passed = { passed: 3, failed: 0, failures: [] }
const before = { seed: '7', scale: 2, verdicts: { soak: passed, matrix: { passed: 2, failed: 1, failures: ['a'] } } }

describe('beginNight', () => {
  it('begins anew, with other samples each day', () => {
    expect(beginNight({}, before, '20261119')).toEqual({ seed: '20261119', scale: 1, verdicts: {} })
    expect(beginNight({ seed: '3', scale: '0.5' }, undefined, '1')).toEqual({ seed: '3', scale: 0.5, verdicts: {} })
  })

  it('resumes with the same samples, and repeats what failed', () => {
    expect(beginNight({ resume: true }, before, '1')).toEqual({ seed: '7', scale: 2, verdicts: { soak: passed } })
  })

  it('refuses what it cannot do', () => {
    expect(() => beginNight({ resume: true }, undefined, '1')).toThrow('nothing to resume')
    expect(() => beginNight({ resume: true, scale: '3' }, before, '1')).toThrow('leave out --seed and --scale')
    expect(() => beginNight({ scale: 'much' }, undefined, '1')).toThrow('--scale must be')
    expect(() => beginNight({ seed: 'x' }, undefined, '1')).toThrow('no whole number')
  })
})

it('selects suites by their names', () => {
  const all = [{ name: 'soak' }, { name: 'matrix' }]
  expect(selectNamed(all, undefined)).toEqual(all)
  expect(selectNamed(all, 'matrix')).toEqual([{ name: 'matrix' }])
  expect(() => selectNamed(all, 'matrix,soap')).toThrow('there is no soap; suites are soak, matrix')
})
