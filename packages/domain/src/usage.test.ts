import { describe, expect, it } from 'vitest'
import { usagePairOf } from './usage.ts'

describe('the pair a task is counted under', () => {
  it('is the format of its input and of what it made', () => {
    expect(usagePairOf({ kind: 'process', from: 'jpg', to: 'JPEG', made: 'jpg' })).toEqual({
      from: 'jpg',
      to: 'jpg',
    })
  })

  it('is the requested format if there is no result, in one spelling', () => {
    expect(usagePairOf({ kind: 'process', from: 'png', to: ' .WebP' })).toEqual({ from: 'png', to: 'webp' })
    expect(usagePairOf({ kind: 'process', from: 'png', to: null })).toEqual({ from: 'png', to: 'png' })
  })

  it('is empty if it is unknown, and never contains anything but formats', () => {
    expect(usagePairOf({ kind: 'process' })).toEqual({ from: '', to: '' })
    expect(usagePairOf({ kind: 'process', to: 'a format\nof mine' })).toEqual({ from: '', to: '' })
    expect(usagePairOf({ kind: 'process', to: 'x'.repeat(33) })).toEqual({ from: '', to: '' })
  })

  it('is empty for imports and exports', () => {
    expect(usagePairOf({ kind: 'import', made: 'jpg' })).toEqual({ from: '', to: '' })
    expect(usagePairOf({ kind: 'export', from: 'jpg', made: 'jpg' })).toEqual({ from: '', to: '' })
  })
})
