import {
  ContainerClient,
  ContainerSASPermissions,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from '@azure/storage-blob'
import { createOutbound, type OutboundDoors } from '@lathe/outbound'
import { Secret } from '@lathe/runtime'
import { startBlobServer } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Access, type ConnectorUnderTest, testConnector } from '../testing/connector-suite.ts'
import {
  makeBytes,
  makeExportContext,
  makeExportFile,
  makeImportContext,
  sha256Of,
  testTaskId,
} from '../testing/transfer-contexts.ts'
import { createBlobstoreExporter, createBlobstoreImporter } from './blobstore.ts'

const wrongKey = Buffer.alloc(64, 'w').toString('base64')

interface ContainerUnderTest extends ConnectorUnderTest {
  readonly account: string
  readonly endpoint: string
  readonly tokens: Readonly<Record<Access, string>>
}

/** A container reached by key, and tokens that allow everything, allow nothing useful, or have a wrong signature. */
async function openContainerUnderTest(): Promise<ContainerUnderTest> {
  const server = await startBlobServer()
  const { account, accessKey, endpoint, container } = server
  const owner = new StorageSharedKeyCredential(account, accessKey)
  const client = new ContainerClient(`${endpoint.replace('{account}', account)}/${container}`, owner)
  const tokens = {
    allowed: token(owner, container, 'rcwd'),
    forbidden: token(owner, container, 'd'),
    wrong: token(new StorageSharedKeyCredential(account, wrongKey), container, 'rcwd'),
  }
  const credentials = (access: Access) => {
    if (access === 'forbidden') return { sas_token: new Secret(tokens.forbidden) }
    return { storage_access_key: new Secret(access === 'wrong' ? wrongKey : accessKey) }
  }
  const signatures = Object.values(tokens).map((text) => new URLSearchParams(text).get('sig') ?? '')
  return {
    account,
    endpoint,
    tokens,
    port: server.port,
    secrets: [accessKey, wrongKey, ...Object.values(tokens), ...signatures, ...signatures.map(encodeURIComponent)],
    importer: (outbound) => createBlobstoreImporter({ outbound, endpoint }),
    exporter: (outbound) => createBlobstoreExporter({ outbound, endpoint }),
    payload: (blob, access) => ({ container, storage_account: account, ...credentials(access), blob }),
    async list() {
      const names: string[] = []
      for await (const { name } of client.listBlobsFlat()) names.push(name)
      return names
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function token(owner: StorageSharedKeyCredential, containerName: string, permissions: string): string {
  const expiresOn = new Date(Date.now() + 3600_000)
  const rights = { containerName, permissions: ContainerSASPermissions.parse(permissions), expiresOn }
  return generateBlobSASQueryParameters(rights, owner).toString()
}

testConnector('blobstore', openContainerUnderTest)

describe('blobstore', () => {
  let under: ContainerUnderTest
  let outbound: OutboundDoors
  beforeAll(async () => {
    under = await openContainerUnderTest()
    outbound = createOutbound({ allow: ['127.0.0.1/32'] })
  })
  afterAll(async () => {
    await outbound?.[Symbol.asyncDispose]()
    await under?.[Symbol.asyncDispose]()
  })

  function byToken(token: string, more: Record<string, unknown> = {}) {
    const payload = { ...under.payload('by/token.bin', 'wrong'), sas_token: new Secret(token), ...more }
    return {
      put: (bytes: Buffer) =>
        under.exporter(outbound).run(payload, makeExportContext([makeExportFile('a.bin', bytes)]).context),
      async get() {
        const { context, kept } = makeImportContext()
        return { end: await under.importer(outbound).run(payload, context), kept }
      },
    }
  }

  it('prefers a shared-access token, with or without its question mark, to a key [S-imp-16, D-store-18]', async () => {
    const bytes = makeBytes(100_000)
    expect(await byToken(under.tokens.allowed).put(bytes)).toMatchObject([{ path: 'by/token.bin' }])
    const { kept } = await byToken(`?${under.tokens.allowed}`, { filename: 'mine.bin' }).get()
    expect(kept).toEqual([{ filename: 'mine.bin', size: bytes.length, sha256: sha256Of(bytes) }])
  })

  it('distinguishes a token with a wrong signature from one that allows too little', async () => {
    expect((await byToken(under.tokens.wrong).get()).end).toMatchObject({ code: 'source_unauthorized' })
    expect((await byToken(under.tokens.forbidden).get()).end).toMatchObject({ code: 'source_forbidden' })
    expect(await byToken(under.tokens.forbidden).put(makeBytes(1))).toMatchObject({ code: 'source_forbidden' })
  })

  it('reports a malformed token as wrong credentials', async () => {
    for (const text of ['x', '#@127.0.0.1:1/', '/../../other?sv=1', 'sig=a&sig=b']) {
      const { end } = await byToken(text).get()
      expect(end, text).toMatchObject({ code: 'source_unauthorized' })
    }
  })

  it('reports a missing container', async () => {
    const { end } = await byToken(under.tokens.allowed, { container: 'another' }).get()
    expect(end).toMatchObject({ kind: 'failure' })
    const byKey = { ...under.payload('a', 'allowed'), container: 'another' }
    const text = 'There is no such container. Check its name and the storage account.'
    expect(await under.importer(outbound).run(byKey, makeImportContext().context)).toMatchObject({
      code: 'source_not_found',
      text,
    })
  })

  it('sends a file in several blocks, opened once', async () => {
    const bytes = makeBytes(20_000_000)
    const file = makeExportFile('large.bin', bytes)
    const payload = under.payload('{name}-{task}.{ext}', 'allowed')
    const path = `large-${testTaskId}.bin`
    const exported = await under.exporter(outbound).run(payload, makeExportContext([file]).context)
    expect(exported).toEqual([{ path, size: bytes.length, sha256: file.sha256 }])
    expect(file.opened).toEqual([0])
    const { context, kept } = makeImportContext()
    await under.importer(outbound).run(under.payload(path, 'allowed'), context)
    expect(kept).toMatchObject([{ sha256: file.sha256 }])
  })
})
