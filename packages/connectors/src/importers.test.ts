import { createOutbound } from '@lathe/outbound'
import { readEnv } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { connectorsConfig, connectorsEnv } from './config.ts'
import { createImporters } from './importers.ts'

describe('createImporters', () => {
  it('knows each importer by its operation', () => {
    const database = { pool: { query: () => Promise.reject(new Error('nothing is asked here')) } }
    const config = connectorsConfig(readEnv(connectorsEnv, {}))
    const importers = createImporters({ outbound: createOutbound({ allow: [] }), database, config })
    expect([...importers.keys()]).toEqual(['import/url', 'import/base64', 'import/objstore_b', 'import/sftp'])
    for (const [operation, importer] of importers) expect(importer.operation).toBe(operation)
  })
})
