import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { CreateMultipartUploadCommand, DeleteBucketCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { startTcpProxy, testServices } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import type { S3Config } from '../config.ts'
import { createStore } from '../create-store.ts'
import { isExpiredKey, objectKey } from '../object-key.ts'
import { ObjectMissing } from '../object-store.ts'
import { chunkOf, fileOf, manyChunks } from '../testing/bytes.ts'
import { type StoreUnderTest, testObjectStore } from '../testing/object-store-suite.ts'
import { openConnection } from './connection.ts'
import { withMultipart } from './multipart.ts'
import { prepareBucket } from './prepare-bucket.ts'
import { createS3Store, type S3StoreOptions } from './s3-store.ts'

const MiB = 2 ** 20
const { signal } = new AbortController()

async function makeS3Store(options?: S3StoreOptions): Promise<StoreUnderTest & { config: S3Config }> {
  const config: S3Config = { kind: 's3', ...testServices().s3, bucket: `test-${randomUUID()}` }
  await prepareBucket(config)
  const { client } = openConnection(config)
  const store = createS3Store(config, options)
  return {
    config,
    store,
    countRemains: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: config.bucket }))
      return Uploads.length
    },
    [Symbol.asyncDispose]: async () => {
      for (const prefix of await store.listPrefixes()) await store.deletePrefix(prefix)
      await client.send(new DeleteBucketCommand({ Bucket: config.bucket }))
      client.destroy()
      await store[Symbol.asyncDispose]()
    },
  }
}

testObjectStore('s3 store', makeS3Store)

describe('s3 store', () => {
  it('removes unfinished uploads of expired tasks in a bucket without objects, and no others', async () => {
    await using made = await makeS3Store()
    using connection = openConnection(made.config)
    const now = Date.now()
    const idAt = (agoMs: number) => `${Math.floor((now - agoMs) / 1000).toString(16)}${'0'.repeat(16)}`
    const start = async (agoMs: number) => {
      const Key = objectKey({ taskId: idAt(agoMs), attempt: 1, n: 0 })
      await connection.client.send(new CreateMultipartUploadCommand({ Bucket: made.config.bucket, Key }))
      return Key
    }
    for (const agoMs of [5 * 3_600_000, 3_600_000, 4.5 * 3_600_000]) await start(agoMs)
    const isOver = (key: string) => isExpiredKey(key, new Date(now))
    expect(await made.store.removeUnfinished(isOver)).toBe(2)
    expect(await made.countRemains()).toBe(1)
    expect(await made.store.removeUnfinished(() => true)).toBe(1)
  })

  it('copies by parts what one request may not copy', async () => {
    await using made = await makeS3Store({ copyPartSize: 8 * MiB })
    const { store } = made
    const size = 33 * MiB + 5
    const { sha256 } = await store.put('copy/from', manyChunks(size), { signal })
    await store.copy('copy/from', 'copy/to', { signal, size })
    const body = await store.open('copy/to', { signal })
    if (!body) return expect.unreachable()
    expect(await store.put('copy/back', body, { signal })).toMatchObject({ size, sha256 })
    await expect(store.copy('copy/missing', 'copy/nothing', { signal, size })).rejects.toThrow(ObjectMissing)
    expect(await made.countRemains()).toBe(0)
  })

  it('recovers within 15 s after all packets were dropped for a moment, on sockets in use and idle ones', {
    timeout: 60_000,
  }, async () => {
    await using made = await makeS3Store()
    await using proxy = await startTcpProxy(made.config.endpoint)
    await using store = createS3Store({ ...made.config, endpoint: proxy.through(made.config.endpoint) })
    const put = (key: string) => store.put(key, manyChunks(1000), { signal })
    // Several at once, so that several sockets are idle afterwards.
    await Promise.all(Array.from({ length: 8 }, (_, n) => put(`silence/${n}`)))
    proxy.swallow()
    const lost = put('silence/lost')
    await pause(1_000)
    proxy.pass()
    const startedAt = performance.now()
    await lost
    await put('silence/after')
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })

  it('removes the parts of an upload whose process died', async () => {
    await using made = await makeS3Store()
    using connection = openConnection(made.config)
    const hanging = Promise.withResolvers<void>()
    const upload = withMultipart(
      connection,
      { key: '1700000100/task/1/0', signal, broken: new AbortController() },
      () => hanging.promise,
    )
    await expect.poll(() => made.countRemains(), { timeout: 10_000 }).toBe(1)
    await made.store.deletePrefix('1700000400')
    expect(await made.countRemains()).toBe(1)
    await made.store.deletePrefix('1700000100')
    expect(await made.countRemains()).toBe(0)
    hanging.reject(new Error('over'))
    await expect(upload).rejects.toThrow('over')
  })

  it.each(['another', 'shorter'])('keeps nothing of a file that is %s the second time it is read', async (change) => {
    await using made = await makeS3Store()
    const file = fileOf(Buffer.alloc(9 * MiB, 'a'))
    let reads = 0
    const read = async (to: Uint8Array, at: number) => {
      reads += 1
      if (reads <= 12) return file.read(to, at)
      return change === 'shorter' ? 0 : to.fill(98).length
    }
    await expect(made.store.putFile('put/changed', { ...file, read }, { signal })).rejects.toThrow(
      change === 'shorter' ? 'shorter' : 'XAmzContentSHA256Mismatch',
    )
    expect(await made.store.open('put/changed', { signal })).toBeUndefined()
  })

  it('creates its bucket once, for any number of callers', async () => {
    await using made = await makeS3Store()
    await prepareBucket(made.config)
    await made.store.check(signal)
  })

  it('fails its check, and every put, with wrong credentials', async () => {
    const store = await createStore({ kind: 's3', ...testServices().s3, secretAccessKey: 'wrong' })
    await expect(store.check(signal)).rejects.toMatchObject({ status: 403 })
    await expect(store.put('a/b', manyChunks(9 * MiB), { signal })).rejects.toThrow()
  })

  it('fails its check soon if the store does not respond', async () => {
    const store = await createStore({ kind: 's3', ...testServices().s3, endpoint: 'http://127.0.0.1:9' })
    await expect(store.check(signal)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(store.put('a/b', chunkOf('x'), { signal })).rejects.toThrow()
  })

  it('R10: aborts a body when the store goes silent, and not when its reader is slow', async () => {
    const whole = Buffer.alloc(4 * MiB, 'x')
    const sockets = new Set<Socket>()
    const server = createHttpServer((request, response) => {
      response.writeHead(200, { 'content-length': whole.length })
      if (request.url?.endsWith('silent')) response.write(whole.subarray(0, 100_000))
      else response.end(whole)
    })
    server.on('connection', (socket) => sockets.add(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const config = { kind: 's3', ...testServices().s3, endpoint: `http://127.0.0.1:${port}` } as const
    await using store = createS3Store(config, { silenceMs: 300 })
    const silent = await store.open('a/silent', { signal })
    if (!silent) throw new Error('there was no body')
    await expect(buffer(silent)).rejects.toMatchObject({ name: 'StoreSilent' })
    const slowly = await store.open('a/whole', { signal })
    let taken = 0
    for await (const chunk of slowly ?? []) {
      if (taken === 0) await pause(1_000)
      taken += chunk.length
    }
    expect(taken).toBe(whole.length)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it('S2: writes and passes its check while 150 clients hold bodies that they do not read', async () => {
    await using made = await makeS3Store()
    const { store } = made
    await store.put('slow/a', manyChunks(4 * MiB), { signal })
    const over = new AbortController()
    const opening = Array.from({ length: 150 }, () => store.open('slow/a', { signal: over.signal, forClient: true }))
    const held = Promise.all(opening).catch(() => undefined)
    await pause(1_000)
    try {
      await store.check(AbortSignal.timeout(5_000))
      await store.put('slow/b', manyChunks(9 * MiB), { signal: AbortSignal.timeout(20_000) })
      expect(await held).toHaveLength(150)
    } finally {
      over.abort()
    }
  })

  it('ends with its signal, though not at once, when the store is silent', async () => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const store = await createStore({ kind: 's3', ...testServices().s3, endpoint: `http://127.0.0.1:${port}` })
    const startedAt = performance.now()
    for (const size of [10, 20 * MiB]) {
      const putting = store.put('a/b', manyChunks(size), { signal: AbortSignal.timeout(200) })
      await expect(putting).rejects.toMatchObject({ name: 'TimeoutError' })
    }
    await expect(store.open('a/b', { signal: AbortSignal.timeout(200) })).rejects.toThrow()
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    for (const socket of sockets) socket.destroy()
    server.close()
  })
})
