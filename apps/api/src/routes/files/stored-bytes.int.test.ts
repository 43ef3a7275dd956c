import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import type { Task } from '@lathe/contract'
import { expect, it } from 'vitest'
import { startApi } from '../../testing/start-api.ts'

it('S9: refuses an upload over the storage quota of its owner, says what to do, and accepts it when there is room', async () => {
  await using api = await startApi({ env: { STORED_BYTES_PER_OWNER: '1000' } })
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { headers } = await api.createKey()
  const createForm = async () =>
    (await (await fetch(`${base}/v1/process/import/upload`, { method: 'POST', headers })).json()) as Task
  const send = async ({ result: { form } }: Task, size: number) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(form?.parameters ?? {})) body.append(name, value)
    body.append('file', new Blob([Buffer.alloc(size, 'a')]), 'a.txt')
    return fetch(form?.url.replace('https://lathe.test', base) ?? '', { method: 'POST', body })
  }
  const [first, second] = [await createForm(), await createForm()]
  expect((await send(first, 900)).status).toBe(200)
  const refused = await send(second, 101)
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    {
      errorCode: 'out_of_storage',
      msg: 'Your files take 900 of the 1000 bytes that you may store, and this needs 101 more. Delete tasks whose files you no longer need, or wait: files are deleted 4 hours after their task was created.',
    },
  ])
  const stored = await readdir(api.storageDir, { recursive: true, withFileTypes: true })
  expect(stored.filter((entry) => entry.isFile())).toHaveLength(1)
  await fetch(`${base}/v1/process/tasks/${first.id}`, { method: 'DELETE', headers })
  expect((await send(second, 101)).status).toBe(200)
})

it('S9: refuses an upload before it is sent when nothing is left', async () => {
  await using api = await startApi({ env: { STORED_BYTES_PER_OWNER: '1' } })
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { headers } = await api.createKey()
  const created = await fetch(`${base}/v1/process/import/upload`, { method: 'POST', headers })
  const { result } = (await created.json()) as Task
  const url = result.form?.url.replace('https://lathe.test', base) ?? ''
  // Sends only the length, and never the body.
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const sending = request(url, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 3_000_000 },
    })
    sending.on('response', (response) => {
      resolve(response.statusCode)
      sending.destroy()
    })
    sending.on('error', reject)
    sending.flushHeaders()
  })
  expect(answer).toBe(403)
})
