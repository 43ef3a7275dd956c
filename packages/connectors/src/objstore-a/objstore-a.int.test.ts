import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { createOutbound, type OutboundDoors } from '@lathe/outbound'
import { Secret } from '@lathe/runtime'
import { testServices } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Access, type ConnectorUnderTest, testConnector } from '../testing/connector-suite.ts'
import { dialTo } from '../testing/dial-to.ts'
import { startFaultProxy } from '../testing/fault-proxy.ts'
import { makeBytes, makeExportContext, makeExportFile, makeImportContext } from '../testing/transfer-contexts.ts'
import type { ListLimits } from './list-keys.ts'
import { createObjstoreAExporter, createObjstoreAImporter } from './objstore-a.ts'

const { s3 } = testServices()
const { endpoint, region, accessKeyId, secretAccessKey } = s3
const wrongSecret = 'a-wrong-secret-access-key'
const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } })

async function openBucketUnderTest(): Promise<ConnectorUnderTest> {
  const bucket = `test-${randomBytes(6).toString('hex')}`
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  const denied = 'denied/file.bin'
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: denied, Body: 'not for you' }))
  await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: denyUnder(bucket, 'denied/') }))
  return {
    port: Number(new URL(endpoint).port),
    secrets: [secretAccessKey, wrongSecret],
    importer: (outbound) => createObjstoreAImporter({ outbound }),
    exporter: (outbound) => createObjstoreAExporter({ outbound }),
    payload: (path, access) => ({ bucket, region, endpoint, ...credentials(access), key: keyFor(path, access) }),
    async list() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
      return [...Contents.map(({ Key }) => `${Key}`), ...Uploads.map(({ Key }) => `unfinished: ${Key}`)]
    },
    [Symbol.asyncDispose]: async () => {
      await client.send(new DeleteBucketPolicyCommand({ Bucket: bucket }))
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
      for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
      await client.send(new DeleteBucketCommand({ Bucket: bucket }))
    },
  }

  function keyFor(path: string, access: Access): string {
    return access === 'forbidden' ? denied : path
  }
}

function credentials(access: Access) {
  const secret = access === 'wrong' ? wrongSecret : secretAccessKey
  return { access_key_id: accessKeyId, secret_access_key: new Secret(secret) }
}

function denyUnder(bucket: string, prefix: string): string {
  const Resource = [`arn:aws:s3:::${bucket}/${prefix}*`]
  const deny = { Effect: 'Deny', Principal: '*', Action: ['s3:GetObject', 's3:PutObject'], Resource }
  return JSON.stringify({ Version: '2012-10-17', Statement: [deny] })
}

testConnector('objstore_a', openBucketUnderTest)

describe('objstore_a', () => {
  let under: ConnectorUnderTest
  let outbound: OutboundDoors
  beforeAll(async () => {
    under = await openBucketUnderTest()
    outbound = createOutbound({ allow: ['127.0.0.1/32'] })
  })
  afterAll(async () => {
    await outbound?.[Symbol.asyncDispose]()
    await under?.[Symbol.asyncDispose]()
  })

  const put = (path: string, ...files: ReturnType<typeof makeExportFile>[]) =>
    under.exporter(outbound).run(under.payload(path, 'allowed'), makeExportContext(files).context)

  async function getUnder(key_prefix: string, listLimits: ListLimits, more: Record<string, unknown> = {}) {
    const { context, kept, shares } = makeImportContext()
    const { key: _key, ...access } = under.payload('', 'allowed')
    const importer = createObjstoreAImporter({ outbound, listLimits })
    return { end: await importer.run({ ...access, key_prefix, ...more }, context), kept, shares }
  }

  it('exports several files, each to its own key', async () => {
    const files = ['a.bin', 'b.bin', 'a.bin'].map((name, n) => makeExportFile(name, makeBytes(n)))
    const exported = await put('several/{name}.{ext}', ...files)
    expect(exported).toMatchObject([
      { path: 'several/a-1.bin', size: 0 },
      { path: 'several/b.bin', size: 1 },
      { path: 'several/a-2.bin', size: 2 },
    ])
  })

  it('imports no more objects than it may, page by page [S-imp-19]', async () => {
    const files = Array.from({ length: 7 }, (_, n) => makeExportFile(`${n}.bin`, makeBytes(n + 1)))
    await put('list/{name}.{ext}', ...files)
    await client.send(new PutObjectCommand({ Bucket: bucketOf(under), Key: 'list/folder/', Body: '' }))
    const all = await getUnder('list/', { files: 7, page: 3 }, { filename: 'not-for-several.bin' })
    expect(all.end).toBeUndefined()
    expect(all.kept.map(({ filename, size }) => [filename, size])).toEqual(files.map((f) => [f.filename, f.size]))
    expect(all.shares.at(-1)).toBe(1)
    const { end, kept } = await getUnder('list/', { files: 6, page: 3 })
    expect(end).toMatchObject({ code: 'limit_exceeded' })
    expect(kept).toEqual([])
    expect((await getUnder('list/3', { files: 1, page: 1 }, { filename: 'mine.bin' })).kept).toMatchObject([
      { filename: 'mine.bin', size: 4 },
    ])
    expect((await getUnder('list/none', { files: 1, page: 1 })).end).toMatchObject({ code: 'source_not_found' })
  })

  it('sends a file in parts, and reopens it only where one is interrupted', async () => {
    const bytes = makeBytes(36_000_000)
    const plain = makeExportFile('parts.bin', bytes)
    expect(await put('{name}.{ext}', plain)).toMatchObject([{ path: 'parts.bin', size: bytes.length }])
    expect(plain.opened).toEqual([0])
    await using proxy = await startFaultProxy(under.port)
    await using shaky = createOutbound({ allow: ['127.0.0.1/32'] }, { connect: dialTo(proxy.port) })
    proxy.plan({ kind: 'cut', after: 20_000_000, times: 1 })
    const broken = makeExportFile('parts.bin', bytes)
    const { context } = makeExportContext([broken])
    const exported = await under.exporter(shaky).run(under.payload('{name}.{ext}', 'allowed'), context)
    expect(exported).toMatchObject([{ path: 'parts.bin', sha256: broken.sha256 }])
    expect(broken.opened).toEqual([0, 16 * 2 ** 20])
    const { context: reading, kept } = makeImportContext()
    await under.importer(outbound).run(under.payload('parts.bin', 'allowed'), reading)
    expect(kept).toMatchObject([{ sha256: broken.sha256 }])
  })

  it('throws the errors of our storage, and aborts the upload', async () => {
    const before = await under.list()
    for (const size of [1000, 20_000_000]) {
      const whole = makeExportFile('own.bin', makeBytes(size))
      const fault = new Error('our own storage broke')
      const open = async () => Readable.from(breaking(size / 2, fault), { objectMode: false })
      await expect(put('own.bin', { ...whole, open })).rejects.toBe(fault)
      await expect(put('own.bin', { ...whole, open: () => Promise.reject(fault) })).rejects.toBe(fault)
    }
    await expect.poll(() => under.list(), { timeout: 20_000 }).toEqual(before)
  })

  it('refuses an object that changed while it was read', async () => {
    await put('changing.bin', makeExportFile('changing.bin', makeBytes(5_000_000)))
    await using proxy = await startFaultProxy(under.port)
    await using shaky = createOutbound({ allow: ['127.0.0.1/32'] }, { connect: dialTo(proxy.port) })
    proxy.plan({ kind: 'cut', after: 2_500_000, times: 1 })
    const { context, kept } = makeImportContext()
    let changed: Promise<unknown> | undefined
    const save: typeof context.save = (filename, source) => context.save(filename, change(source))
    async function* change(source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        // While the first connection is still open.
        changed ??= put('changing.bin', makeExportFile('changing.bin', Buffer.alloc(5_000_000)))
        await changed
        yield chunk
      }
    }
    const payload = under.payload('changing.bin', 'allowed')
    const end = await under.importer(shaky).run(payload, { ...context, save })
    expect({ end, kept }).toMatchObject({
      end: { code: 'source_unreachable', detail: 'status 412 PreconditionFailed' },
      kept: [],
    })
  })

  it('reports a missing bucket and an unknown key id', async () => {
    const payload = under.payload('a.bin', 'allowed')
    const run = (more: object) => under.importer(outbound).run({ ...payload, ...more }, makeImportContext().context)
    expect(await run({ bucket: `${payload.bucket}-not` })).toMatchObject({
      code: 'source_not_found',
      text: 'There is no such bucket. Check its name, the region and the endpoint.',
    })
    expect(await run({ access_key_id: 'nobody' })).toMatchObject({ code: 'source_unauthorized' })
  })
})

function bucketOf(under: ConnectorUnderTest): string {
  return String(under.payload('', 'allowed').bucket)
}

function* breaking(after: number, fault: Error): Generator<Buffer> {
  yield Buffer.alloc(after)
  throw fault
}
