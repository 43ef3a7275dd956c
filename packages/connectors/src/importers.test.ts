import { createOutbound } from '@lathe/outbound'
import { readEnv } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { connectorsConfig, connectorsEnv } from './config.ts'
import { createImporters } from './importers.ts'

describe('createImporters', () => {
  it('knows each importer by its operation', () => {
    const nobody = () => Promise.reject(new Error('nothing is run here'))
    const browser = { createJobFolder: nobody, openOutput: nobody, call: nobody, takeTurn: nobody }
    const database = { pool: { query: nobody } }
    const config = connectorsConfig(readEnv(connectorsEnv, {}))
    const importers = createImporters({ outbound: createOutbound({ allow: [] }), browser, database, config })
    expect([...importers.keys()]).toEqual([
      'import/url',
      'import/webpage',
      'import/base64',
      'import/objstore_a',
      'import/objstore_b',
      'import/blobstore',
      'import/sftp',
    ])
    for (const [operation, importer] of importers) expect(importer.operation).toBe(operation)
  })
})
