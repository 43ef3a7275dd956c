import { describe, expect, it } from 'vitest'
import {
  findOperation,
  isOperation,
  isProcessing,
  isUpload,
  needsSeveral,
  operations,
  secretFields,
  storesFiles,
  takesTogether,
  usualOutput,
} from './operations.ts'

describe('the operations', () => {
  it('have a name each, which tells their kind', () => {
    expect(new Set(operations).size).toBe(operations.length)
    for (const name of operations) {
      const [first = ''] = name.split('/')
      const { kind } = findOperation(name)
      expect(kind, name).toBe(['import', 'export'].includes(first) ? first : 'process')
    }
  })

  it('take an input unless they are imports', () => {
    for (const name of operations) {
      const { kind, body } = findOperation(name)
      expect(Object.hasOwn(body.properties, 'input'), name).toBe(kind !== 'import')
      expect(body, name).toMatchObject({ additionalProperties: false })
    }
  })

  it('are the only ones', () => {
    expect(isOperation('convert')).toBe(true)
    expect(['toString', 'import', '', 'Convert'].filter(isOperation)).toEqual([])
  })

  it('name the format of a result that the request leaves open', () => {
    expect([usualOutput('convert', 'jpg'), usualOutput('compress', 'jpg')]).toEqual([undefined, 'jpg'])
  })

  it('differ in what they take and keep', () => {
    expect(operations.filter((name) => isProcessing(name) && takesTogether(name))).toContain('merge')
    expect(operations.filter(needsSeveral)).toEqual(['merge'])
    expect(operations.filter(isUpload)).toEqual(['import/upload'])
    expect(operations.filter((name) => !storesFiles(name))).toEqual(
      operations.filter((name) => name.startsWith('export/') && name !== 'export/url'),
    )
  })

  it('mark their secrets', () => {
    expect([...secretFields].sort()).toEqual([
      'password',
      'private_key',
      'sas_token',
      'secret_access_key',
      'storage_access_key',
    ])
  })
})
