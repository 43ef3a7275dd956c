import { describe, expect, it } from 'vitest'
import {
  addressFields,
  findOperation,
  isOperation,
  isProcessing,
  isUpload,
  kindOf,
  needsSeveral,
  operations,
  secretFields,
  storesFiles,
  takesTogether,
  uploadOperations,
  usualOutput,
} from './operations.ts'

describe('the operations', () => {
  it('have unique names, whose first part is the kind, if there is one', () => {
    expect(new Set(operations).size).toBe(operations.length)
    for (const name of operations.filter((one) => one.includes('/'))) {
      expect(findOperation(name).kind, name).toBe(name.split('/')[0])
    }
  })

  it('without such a part process files or create them [D-op-85]', () => {
    const others = operations.filter((name) => !name.includes('/') && !isProcessing(name))
    expect(others).toEqual(['capture'])
    expect(kindOf('capture')).toBe('import')
  })

  it('have an input unless they are imports', () => {
    for (const name of operations) {
      const { kind, body } = findOperation(name)
      expect(Object.hasOwn(body.properties, 'input'), name).toBe(kind !== 'import')
      expect(body, name).toMatchObject({ additionalProperties: false })
    }
  })

  it('are all operations', () => {
    expect(isOperation('convert')).toBe(true)
    expect(['toString', 'import', '', 'Convert'].filter(isOperation)).toEqual([])
  })

  it('have the format of a result that the request does not set', () => {
    expect([usualOutput('convert', 'jpg'), usualOutput('compress', 'jpg')]).toEqual([undefined, 'jpg'])
  })

  it('differ in their inputs and outputs', () => {
    expect(operations.filter((name) => isProcessing(name) && takesTogether(name))).toContain('merge')
    expect(operations.filter(needsSeveral)).toEqual(['merge'])
    expect(uploadOperations).toEqual(['import/upload'])
    expect(operations.filter(isUpload)).toEqual(uploadOperations)
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

  it('mark their web addresses, optional ones too, without a trace in the schema', () => {
    expect([...addressFields].sort()).toEqual(['endpoint', 'url'])
    expect(JSON.stringify(findOperation('import/url').body)).not.toContain('web address')
  })
})
