import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, fixture, importFixture, newClient, outputOf, stack } from '../scenario.ts'

let api: Client
const photo = fixture('photo-40k.jpg')
const access = stack.blobs

beforeAll(async () => {
  api = await newClient()
  const source = await importFixture(api, 'photo-40k.jpg', 'cat.jpg')
  completed(await api.run('export/blobstore', { ...access, input: source.id, blob: 'in/{name}.{ext}' }))
})

describe('blobstore', () => {
  it('runs a job that imports from a container and exports to it [S-imp-15, S-store-03, D-store-19]', async () => {
    const job = await api.runJob({
      fetch: { operation: 'import/blobstore', ...access, blob: 'in/cat.jpg' },
      draw: { operation: 'convert', input: ['fetch'], output_format: 'png' },
      store: { operation: 'export/blobstore', input: ['draw'], ...access, blob: 'out/{task}/{name}.{ext}' },
    })
    const store = job.tasks?.find(({ name }) => name === 'store')
    const [exported] = store?.result.exported ?? []
    expect(exported?.path).toBe(`out/${store?.id}/cat.png`)
    const bytes = await outputOf(api, await api.run('import/blobstore', { ...access, blob: exported?.path }))
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(exported).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  })

  it('shows its payload with the key and the token masked', async () => {
    const given = { ...access, sas_token: 'sv=2024&sig=never-shown', blob: 'in/cat.jpg' }
    const task = await api.run('import/blobstore', given)
    const { payload, result } = task
    expect(payload).toMatchObject({ container: access.container, storage_access_key: '***', sas_token: '***' })
    expect(JSON.stringify(task)).not.toMatch(/never-shown/)
    expect(JSON.stringify(task)).not.toContain(access.storage_access_key)
    // The token wins, and it is a wrong one.
    expect(result.errorCode).toBe('invalid_credentials')
  })

  it('imports the blob unchanged, with the requested name [S-store-03]', async () => {
    const task = completed(await api.run('import/blobstore', { ...access, blob: 'in/cat.jpg', filename: 'mine.jpg' }))
    expect(task.result.files?.[0]?.filename).toBe('mine.jpg')
    expect(await outputOf(api, task)).toEqual(photo)
  })

  it('distinguishes wrong keys, missing blobs and invalid accounts', async () => {
    const blob = 'in/cat.jpg'
    const wrong = Buffer.alloc(64, 'w').toString('base64')
    const ends = [
      await api.run('import/blobstore', { ...access, storage_access_key: wrong, blob }),
      await api.run('import/blobstore', { ...access, blob: 'in/dog.jpg' }),
      await api.run('import/blobstore', { ...access, container: 'nowhere', blob }),
      await api.run('import/blobstore', { ...access, storage_account: 'evil.example.com/', blob }),
    ]
    expect(ends.map(({ result }) => [result.errorCode, result.reason])).toEqual([
      ['invalid_credentials', 'source_unauthorized'],
      ['processing_failed', 'source_not_found'],
      ['processing_failed', 'source_not_found'],
      ['processing_failed', 'url_forbidden'],
    ])
  })
})
