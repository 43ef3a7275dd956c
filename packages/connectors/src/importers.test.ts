import { createOutbound } from '@lathe/outbound'
import { describe, expect, it } from 'vitest'
import { createImporters } from './importers.ts'

describe('createImporters', () => {
  it('knows each importer by its operation', () => {
    const importers = createImporters({ outbound: createOutbound({ allow: [] }) })
    expect([...importers.keys()]).toEqual(['import/url', 'import/base64'])
    for (const [operation, importer] of importers) expect(importer.operation).toBe(operation)
  })
})
