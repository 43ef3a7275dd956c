import { describe, expect, it } from 'vitest'
import { archives } from './archive.ts'
import { packLimits } from './limits.ts'

function pack(count: number, size: number) {
  const sources = Array.from({ length: count }, (_, n) => {
    return { file: `in-${n}.bin`, format: 'bin', size, filename: `${n}.bin` }
  })
  return archives.plan({ operation: 'archive', sources, to: 'zip', options: {} })
}

describe('an archive', () => {
  it.each([
    ['as many files as the limit', packLimits.files, 1, 'plan'],
    ['one file more', packLimits.files + 1, 1, 'failure'],
    ['as many bytes as the limit', 2, packLimits.bytes / 2, 'plan'],
    ['more bytes', 2, packLimits.bytes / 2 + 1, 'failure'],
  ])('of %s', (_, count, size, kind) => {
    expect(pack(count, size)).toMatchObject(kind === 'plan' ? { kind } : { kind, code: 'limit_exceeded' })
  })
})
