import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startSshd, type TestSshd } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, fixture, importFixture, newClient, outputOf } from '../scenario.ts'

let api: Client
let sshd: TestSshd
let access: Record<string, unknown>
const photo = fixture('photo-40k.jpg')

beforeAll(async () => {
  api = await newClient()
  sshd = await startSshd()
  const { port, username, privateKey } = sshd
  access = { host: '127.0.0.1', port: String(port), username, private_key: privateKey }
  await writeFile(join(sshd.filesDir, 'cat.jpg'), photo)
})
afterAll(() => sshd[Symbol.asyncDispose]())

const onServer = (path: string) => readFile(join(sshd.filesDir, path))

describe('sftp', () => {
  it('runs a job that imports from the server and exports to it [D-op-45, S-store-04, D-store-19]', async () => {
    const job = await api.runJob({
      fetch: { operation: 'import/sftp', ...access, file_string: 'cat.jpg' },
      draw: { operation: 'convert', input: ['fetch'], output_format: 'png' },
      store: { operation: 'export/sftp', input: ['draw'], ...access, file_string: 'out/{task}/{name}.{ext}' },
    })
    const store = job.tasks?.find(({ name }) => name === 'store')
    const [exported] = store?.result.exported ?? []
    expect(exported?.path).toBe(`out/${store?.id}/cat.png`)
    const bytes = await onServer(exported?.path ?? '')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(exported).toMatchObject({
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
  })

  it('shows its payload with the key masked', async () => {
    const task = await api.run('import/sftp', { ...access, password: 'hunter2-sftp', file_string: 'cat.jpg' })
    expect(completed(task).payload).toMatchObject({ host: '127.0.0.1', private_key: '***', password: '***' })
    expect(JSON.stringify(task)).not.toContain('hunter2-sftp')
    expect(await outputOf(api, task)).toEqual(photo)
  })

  it('accepts the expected host key, and sends nothing to a server with another one [D-store-10]', async () => {
    const wrong = `SHA256:${'A'.repeat(43)}`
    const pinned = { ...access, file_string: 'cat.jpg', host_key: sshd.hostKey }
    completed(await api.run('import/sftp', pinned))
    expect(await api.run('import/sftp', { ...pinned, host_key: wrong })).toMatchObject({
      status: 'failed',
      result: { errorCode: 'processing_failed', reason: 'host_key_changed' },
    })
  })

  it('distinguishes wrong credentials, missing permission and missing files', async () => {
    await mkdir(join(sshd.filesDir, 'closed'))
    await chmod(join(sshd.filesDir, 'closed'), 0)
    const { private_key: _, ...nobody } = access
    const ends = await Promise.all([
      api.run('import/sftp', { ...nobody, password: 'guess', file_string: 'cat.jpg' }),
      api.run('import/sftp', { ...access, file_string: 'closed/cat.jpg' }),
      api.run('import/sftp', { ...access, file_string: 'nowhere.jpg' }),
    ])
    expect(ends.map(({ result }) => [result.errorCode, result.reason])).toEqual([
      ['invalid_credentials', 'source_unauthorized'],
      ['insufficient_permission', 'source_forbidden'],
      ['processing_failed', 'source_not_found'],
    ])
  })

  it('does not connect to forbidden hosts [D-store-14]', async () => {
    const source = await importFixture(api, 'photo-40k.jpg')
    for (const host of ['::1', 'localhost']) {
      const body = { ...access, host, file_string: 'cat.jpg' }
      expect((await api.run('import/sftp', body)).result.reason).toBe('url_forbidden')
      expect((await api.run('export/sftp', { ...body, input: source.id })).result.reason).toBe('url_forbidden')
    }
  })
})
