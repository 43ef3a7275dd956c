import { createHash, generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, fixture, importFixture, newClient, outputOf, stack } from '../scenario.ts'

let api: Client
const photo = fixture('photo-40k.jpg')
const access = { project_id: 'project', ...stack.bucket }

beforeAll(async () => {
  api = await newClient()
  const source = await importFixture(api, 'photo-40k.jpg', 'cat.jpg')
  completed(await api.run('export/objstore_b', { ...access, input: source.id, file: 'in/{name}.{ext}' }))
})

describe('objstore_b', () => {
  it('runs a job that imports from a bucket and exports to it [S-imp-14, D-op-45, S-store-02, D-store-19]', async () => {
    const job = await api.runJob({
      fetch: { operation: 'import/objstore_b', ...access, file: 'in/cat.jpg' },
      draw: { operation: 'convert', input: ['fetch'], output_format: 'png' },
      store: { operation: 'export/objstore_b', input: ['draw'], ...access, file: 'out/{task}/{name}.{ext}' },
    })
    const store = job.tasks?.find(({ name }) => name === 'store')
    const [exported] = store?.result.exported ?? []
    expect(exported?.path).toBe(`out/${store?.id}/cat.png`)
    const bytes = await outputOf(api, await api.run('import/objstore_b', { ...access, file: exported?.path }))
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(exported).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  })

  it('names the file after its object, or by filename', async () => {
    const nameOf = async (more: object) => {
      const task = completed(await api.run('import/objstore_b', { ...access, file: 'in/cat.jpg', ...more }))
      return task.result.files?.[0]?.filename
    }
    expect(await nameOf({})).toBe('cat.jpg')
    expect(await nameOf({ filename: '' })).toBe('cat.jpg')
    expect(await nameOf({ filename: 'a dog.jpg' })).toBe('a dog.jpg')
  })

  it('shows its payload with the key masked', async () => {
    const task = completed(await api.run('import/objstore_b', { ...access, file: 'in/cat.jpg' }))
    expect(task.payload).toMatchObject({ bucket: stack.bucket.bucket, private_key: '***' })
    expect(JSON.stringify(task)).not.toContain('BEGIN')
    expect(await outputOf(api, task)).toEqual(photo)
  })

  it('distinguishes wrong credentials and missing objects', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const file = 'in/cat.jpg'
    const ends = [
      await api.run('import/objstore_b', { ...access, private_key, file }),
      await api.run('import/objstore_b', { ...access, private_key: '{"type":"external_account"}', file }),
      await api.run('import/objstore_b', { ...access, file: 'in/dog.jpg' }),
    ]
    expect(ends.map(({ result }) => [result.errorCode, result.reason])).toEqual([
      ['invalid_credentials', 'source_unauthorized'],
      ['invalid_credentials', 'source_unauthorized'],
      ['processing_failed', 'source_not_found'],
    ])
  })
})
