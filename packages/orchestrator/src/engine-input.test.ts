import { expect, it } from 'vitest'
import { fingerprintOf } from './engine-input.ts'

const [a, b] = ['aa'.repeat(32), 'bb'.repeat(32)]

it('recognizes the same content under the same operation, and distinguishes operation, content and order', () => {
  const all = [
    fingerprintOf('merge', [a, b]),
    fingerprintOf('merge', [b, a]),
    fingerprintOf('merge', [a]),
    fingerprintOf('convert', [a]),
  ]
  expect(new Set(all).size).toBe(4)
  expect(fingerprintOf('merge', [a, b])).toBe(all[0])
  for (const one of all) expect(one).toMatch(/^[0-9a-f]{64}$/)
})
