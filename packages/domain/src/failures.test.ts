import { describe, expect, it } from 'vitest'
import { failure, failures, maxFailureTextBytes, nameFile } from './failures.ts'

describe('the text of a failure for its owner', () => {
  it.each([-1, 0, 1])('is cut at 512 bytes: %i beyond [L-message]', (more) => {
    const { text = '' } = failure('unsupported', { text: 'x'.repeat(maxFailureTextBytes + more) })
    expect(maxFailureTextBytes).toBe(512)
    expect(text.length).toBe(Math.min(512, 512 + more))
  })

  it('is never cut in the middle of a character', () => {
    const { text = '' } = failure('unsupported', { text: `x${'ü'.repeat(300)}` })
    expect(text).toBe(`x${'ü'.repeat(255)}`)
  })

  it('is left out where nothing is said', () => {
    expect(failure('internal', { detail: 'y' })).toEqual({ kind: 'failure', code: 'internal', detail: 'y' })
  })
})

describe('the details of a failure for operators', () => {
  it.each([-1, 0, 1])('S16: is cut at 4,096 bytes: %i beyond', (more) => {
    const { detail = '' } = failure('internal', { detail: 'y'.repeat(4096 + more) })
    expect(detail.length).toBe(Math.min(4096, 4096 + more))
  })

  it('S16: has its end, where programs say why they stopped, and never half a character', () => {
    const { detail = '' } = failure('internal', { detail: `exit 1\n${'ü😀'.repeat(3000)}\nno such filter` })
    expect(detail).toMatch(/^exit 1\n[ü😀]+\n\[\.\.\.\]\n[ü😀]+\nno such filter$/u)
    expect(Buffer.byteLength(detail)).toBeLessThanOrEqual(4096)
    expect(Buffer.byteLength(detail)).toBeGreaterThan(4080)
  })

  it('S1: holds no character that PostgreSQL refuses', () => {
    expect(failure('internal', { text: 'a\0b', detail: 'c\ud800d' })).toMatchObject({
      text: 'a\ufffdb',
      detail: 'c\ufffdd',
    })
  })

  it('names the file where it is one of several, in the words of the table where it has none of its own', () => {
    expect(nameFile('File 2', failure('unsupported', { text: 'No.' }))).toMatchObject({ text: 'File 2: No.' })
    const damaged = nameFile('File 2', failure('input_damaged', { detail: 'exit 1' }))
    expect(damaged).toMatchObject({ text: `File 2: ${failures.input_damaged.text}`, detail: 'exit 1' })
  })
})
