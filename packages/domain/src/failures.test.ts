import { describe, expect, it } from 'vitest'
import { failure, maxFailureTextBytes } from './failures.ts'

describe('what a failure tells its owner', () => {
  it.each([-1, 0, 1])('is cut at 512 bytes: %i beyond', (more) => {
    const { text = '' } = failure('unsupported', { text: 'x'.repeat(maxFailureTextBytes + more) })
    expect(maxFailureTextBytes).toBe(512)
    expect(text.length).toBe(Math.min(512, 512 + more))
  })

  it('is never cut in the middle of a character', () => {
    const { text = '' } = failure('unsupported', { text: `x${'ü'.repeat(300)}` })
    expect(text).toBe(`x${'ü'.repeat(255)}`)
  })

  it('is left out where nothing is said, and the detail for operators is left whole', () => {
    const detail = 'y'.repeat(5000)
    expect(failure('internal', { detail })).toEqual({ kind: 'failure', code: 'internal', detail })
  })
})
