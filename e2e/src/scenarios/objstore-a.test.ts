import { createHash, randomBytes } from 'node:crypto'
import { prepareBucket, removeBucket } from '@lathe/storage'
import { testServices } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, fixture, importFixture, newClient, outputOf } from '../scenario.ts'

let api: Client
const { s3 } = testServices()
const config = { kind: 's3' as const, ...s3, bucket: `e2e-${randomBytes(6).toString('hex')}` }
const access = {
  bucket: config.bucket,
  region: s3.region,
  endpoint: s3.endpoint,
  access_key_id: s3.accessKeyId,
  secret_access_key: s3.secretAccessKey,
}

beforeAll(async () => {
  await prepareBucket(config)
  api = await newClient()
  const inputs = [
    (await importFixture(api, 'photo-40k.jpg', 'cat.jpg')).id,
    (await importFixture(api, 'alpha.png', 'dog.png')).id,
  ]
  completed(await api.run('export/objstore_a', { ...access, input: inputs, key: 'in/{name}.{ext}' }))
})
afterAll(() => removeBucket(config))

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('objstore_a', () => {
  it('runs a job that imports from a bucket and exports to it [S-imp-17, S-store-01, D-store-19]', async () => {
    const job = await api.runJob({
      fetch: { operation: 'import/objstore_a', ...access, key: 'in/cat.jpg' },
      draw: { operation: 'convert', input: ['fetch'], output_format: 'png' },
      store: { operation: 'export/objstore_a', input: ['draw'], ...access, key: 'out/{task}/{name}.{ext}' },
    })
    const store = job.tasks?.find(({ name }) => name === 'store')
    const [exported] = store?.result.exported ?? []
    expect(exported?.path).toBe(`out/${store?.id}/cat.png`)
    const bytes = await outputOf(api, await api.run('import/objstore_a', { ...access, key: exported?.path }))
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(exported).toMatchObject({ size: bytes.length, sha256: sha256(bytes) })
  })

  it('imports all objects with a prefix, inside a job [S-imp-18, S-store-01]', async () => {
    const job = await api.runJob({ fetch: { operation: 'import/objstore_a', ...access, key_prefix: 'in/' } })
    const files = job.tasks?.[0]?.result.files ?? []
    expect(files.map(({ filename }) => filename)).toEqual(['cat.jpg', 'dog.png'])
    expect(await Promise.all(files.map(({ url }) => api.download(url)))).toEqual([
      fixture('photo-40k.jpg'),
      fixture('alpha.png'),
    ])
  })

  it('fails if no object has the prefix [S-imp-18, D-store-17]', async () => {
    const job = await api.runJob({ fetch: { operation: 'import/objstore_a', ...access, key_prefix: 'none/' } })
    expect(job.status).toBe('failed')
    expect(job.tasks?.[0]?.result).toMatchObject({
      reason: 'source_not_found',
      msg: 'No object begins with this prefix.',
    })
  })

  it('shows its payload with the key masked', async () => {
    const task = completed(await api.run('import/objstore_a', { ...access, key: 'in/cat.jpg' }))
    expect(task.payload).toMatchObject({ bucket: access.bucket, secret_access_key: '***' })
    expect(JSON.stringify(task)).not.toContain(access.secret_access_key)
  })

  it('distinguishes wrong keys, missing objects and forbidden endpoints', async () => {
    const key = 'in/cat.jpg'
    const ends = [
      await api.run('import/objstore_a', { ...access, secret_access_key: 'wrong', key }),
      await api.run('import/objstore_a', { ...access, access_key_id: 'nobody', key }),
      await api.run('import/objstore_a', { ...access, key: 'in/bird.jpg' }),
      await api.run('import/objstore_a', { ...access, bucket: `${access.bucket}-not`, key }),
      await api.run('import/objstore_a', { ...access, endpoint: 'http://169.254.169.254/', key }),
      await api.run('import/objstore_a', { ...access, region: 'us-east-1.evil/#', endpoint: undefined, key }),
    ]
    expect(ends.map(({ result }) => [result.errorCode, result.reason])).toEqual([
      ['invalid_credentials', 'source_unauthorized'],
      ['invalid_credentials', 'source_unauthorized'],
      ['processing_failed', 'source_not_found'],
      ['processing_failed', 'source_not_found'],
      ['processing_failed', 'url_forbidden'],
      ['processing_failed', 'url_forbidden'],
    ])
  })
})
