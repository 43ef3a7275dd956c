import type { FileRecord, TaskRecord } from '@lathe/database'
import { describe, expect, it } from 'vitest'
import { inputFiles } from './input-files.ts'

const now = new Date('2026-01-01T04:00:00Z')

function file(n: number, expiresAt = new Date('2026-01-01T05:00:00Z')): FileRecord {
  const kept = { key: `k${n}`, filename: `f${n}`, format: 'jpg', size: 1, sha256: '', crc32: 0 }
  return { n, ...kept, createdAt: now, expiresAt, deletedAt: null }
}

function task(status: TaskRecord['status'], files: readonly FileRecord[]): TaskRecord {
  return { id: 'x', status, files } as unknown as TaskRecord
}

describe('the files of the inputs', () => {
  it('come in the order of the inputs, then of the files inside each [D-op-26]', () => {
    const files = inputFiles([task('completed', [file(2), file(3)]), task('completed', [file(1)])], now)
    expect(Array.isArray(files) && files.map(({ n }) => n)).toEqual([2, 3, 1])
  })

  it('are no longer there when an input was deleted or its files expired [D-state-07]', () => {
    expect(inputFiles([task('deleted', [file(1)])], now)).toMatchObject({ code: 'input_deleted' })
    expect(inputFiles([task('completed', [file(1, now)])], now)).toMatchObject({ code: 'input_expired' })
    expect(inputFiles([task('completed', [])], now)).toMatchObject({ code: 'no_files' })
  })
})
