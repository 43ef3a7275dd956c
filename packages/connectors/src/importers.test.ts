import { createOutbound, type Purpose } from '@lathe/outbound'
import { readEnv } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { connectorsConfig, connectorsEnv } from './config.ts'
import { createExporters } from './exporters.ts'
import { createImporters } from './importers.ts'

const nobody = () => Promise.reject(new Error('nothing is run here'))
const browser = { createJobFolder: nobody, openOutput: nobody, call: nobody, takePermit: nobody }
const database = { pool: { query: nobody } }
const config = connectorsConfig(readEnv(connectorsEnv, {}))

describe('createImporters', () => {
  it('knows each importer by its operation', () => {
    const importers = createImporters({ outbound: createOutbound({ allow: [] }), browser, database, config })
    expect([...importers.keys()]).toEqual([
      'import/url',
      'import/webpage',
      'capture',
      'import/base64',
      'import/objstore_a',
      'import/objstore_b',
      'import/blobstore',
      'import/sftp',
    ])
    for (const [operation, importer] of importers) expect(importer.operation).toBe(operation)
  })

  it('S10: gives each connector the door of its own purpose', () => {
    const asked: string[] = []
    const doors = createOutbound({ allow: [] })
    const outbound = {
      for(purpose: Purpose) {
        asked.push(purpose)
        return doors.for(purpose)
      },
    }
    createImporters({ outbound, browser, database, config })
    expect(asked.splice(0)).toEqual(['webpage', 'url', 'objstore_a', 'objstore_b', 'blobstore', 'sftp'])
    createExporters({ outbound, database, config })
    expect(asked).toEqual(['objstore_a', 'objstore_b', 'blobstore', 'sftp'])
  })
})
