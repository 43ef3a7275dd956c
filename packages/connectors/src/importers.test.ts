import { failure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { createImporters } from './importers.ts'

describe('createImporters', () => {
  it('knows each importer by its operation', () => {
    const outbound = { get: async () => failure('internal'), [Symbol.asyncDispose]: async () => {} }
    const importers = createImporters({ outbound })
    expect([...importers.keys()]).toEqual(['import/url', 'import/base64'])
    for (const [operation, importer] of importers) expect(importer.operation).toBe(operation)
  })
})
