import { createOutbound, type Purpose } from '@lathe/outbound'
import { readEnv } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { connectorsConfig, connectorsEnv } from './config.ts'
import { openConnectors } from './connectors.ts'

const nobody = () => Promise.reject(new Error('nothing is run here'))
const browser = { createJobFolder: nobody, openOutput: nobody, call: nobody, takePermit: nobody }
const database = { pool: { query: nobody } }
const settings = connectorsConfig(readEnv(connectorsEnv, {}))

describe('the connectors', () => {
  it('are known by their operations', () => {
    const outbound = createOutbound({ allow: [] })
    const { importers, exporters } = openConnectors({ outbound, browser, database, settings })
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
    expect([...exporters.keys()]).toEqual(['export/objstore_a', 'export/objstore_b', 'export/blobstore', 'export/sftp'])
  })

  it('S10: each use the outbound connection of their own purpose', () => {
    const asked: string[] = []
    const doors = createOutbound({ allow: [] })
    const outbound = {
      for(purpose: Purpose) {
        asked.push(purpose)
        return doors.for(purpose)
      },
    }
    openConnectors({ outbound, browser, database, settings })
    expect(asked).toEqual(['url', 'webpage', 'objstore_a', 'objstore_b', 'blobstore', 'sftp'])
  })
})
