import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Task } from '@lathe/contract'
import { prepareBucket, removeBucket } from '@lathe/storage'
import { testServices, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

const stack = new AsyncDisposableStack()
let api: TestApi
let base: string

beforeAll(async () => {
  const config = { kind: 's3', ...testServices().s3, bucket: `test-${randomUUID()}` } as const
  await prepareBucket(config)
  stack.defer(() => removeBucket(config))
  api = stack.use(
    await startApi({
      http: { downloadsPerLink: 4, downloadsPerOwner: 8, downloadsAtOnce: 300, slotWaitMs: 500, rateWindowMs: 1000 },
      env: {
        STORAGE_KIND: 's3',
        S3_ENDPOINT: config.endpoint,
        S3_BUCKET: config.bucket,
        S3_ACCESS_KEY_ID: config.accessKeyId,
        S3_SECRET_ACCESS_KEY: config.secretAccessKey,
      },
    }),
  )
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => stack.disposeAsync())

const here = (url: string | undefined) => (url ?? '').replace('https://lathe.test', base)
const downloads = async () => (await api.services.metrics.downloads.get()).values[0]?.value ?? 0

/** A new account with files. */
async function newOwner() {
  const { headers } = await api.createKey()
  return async (size: number): Promise<string> => {
    const created = await fetch(`${base}/v1/process/import/upload`, { method: 'POST', headers })
    const { form } = ((await created.json()) as Task).result
    const body = new FormData()
    for (const [name, value] of Object.entries(form?.parameters ?? {})) body.append(name, value)
    body.append('file', new Blob([Buffer.alloc(size, 7)]), 'a.bin')
    const done = await fetch(here(form?.url), { method: 'POST', body })
    const task = (await done.json()) as Task
    if (done.status !== 200) throw new Error(`the upload was answered with ${JSON.stringify(task)}`)
    return here(task.result.url)
  }
}

/** A client that requests a file and never reads it. */
function startStalledReader(url: string): Socket {
  const { port, hostname, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return socket.pause()
}

it('S2: 200 clients that do not read their downloads leave uploads, downloads and readiness to the others', async () => {
  const [upload, uploadOfOther] = [await newOwner(), await newOwner()]
  const links = await Promise.all(Array.from({ length: 3 }, () => upload(12_000_000)))
  const readers = links.flatMap((link) => Array.from({ length: 67 }, () => startStalledReader(link)))
  try {
    await waitFor(async () => (await downloads()) === 8, { withinMs: 20_000 })
    const statuses = new Set<string>()
    for (let n = 0; n < 5; n++) {
      const ready = await fetch(`${base}/readyz`)
      statuses.add(((await ready.json()) as { status: string }).status)
      const answer = await fetch(await uploadOfOther(300_000))
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 300_000])
      expect(await downloads()).toBeLessThanOrEqual(8)
    }
    expect(statuses).not.toContain('down')
  } finally {
    for (const reader of readers) reader.destroy()
  }
  await waitFor(async () => (await downloads()) === 0, { withinMs: 20_000 })
})

it('S2: a link has a maximum of simultaneous downloads, beyond which it answers Retry-After', async () => {
  const upload = await newOwner()
  const link = await upload(12_000_000)
  const readers = Array.from({ length: 4 }, () => startStalledReader(link))
  try {
    await waitFor(async () => (await downloads()) === 4, { withinMs: 20_000 })
    const refused = await fetch(link)
    expect(await refused.json()).toMatchObject({ status: 429, errorCode: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await fetch(await upload(1000))).status).toBe(200)
  } finally {
    for (const reader of readers) reader.destroy()
  }
  await waitFor(async () => (await downloads()) === 0, { withinMs: 20_000 })
})

it('S2: a client below the minimum rate is disconnected, and holds no slot', async () => {
  const upload = await newOwner()
  const reader = startStalledReader(await upload(12_000_000))
  await waitFor(async () => (await downloads()) === 1, { withinMs: 20_000 })
  await waitFor(async () => (await downloads()) === 0, { withinMs: 20_000 })
  reader.destroy()
})
