import { generateKeyPairSync } from 'node:crypto'
import { isFailure } from '@lathe/domain'
import { createOutbound } from '@lathe/outbound'
import { Secret } from '@lathe/runtime'
import { type BucketServer, startBucketServer } from '@lathe/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  makeBytes,
  makeExportContext,
  makeExportFile,
  makeImportContext,
  sha256Of,
} from '../testing/transfer-contexts.ts'
import { createObjstoreBExporter, createObjstoreBImporter } from './objstore-b.ts'

let own: AsyncDisposableStack
let server: BucketServer
beforeEach(async () => {
  own = new AsyncDisposableStack()
  server = own.use(await startBucketServer())
})
afterEach(() => own.disposeAsync())

function access(more: Record<string, unknown> = {}) {
  const { bucket, account } = server
  const private_key = new Secret(account.privateKey)
  return { project_id: 'p', bucket, client_email: account.clientEmail, private_key, file: 'a.bin', ...more }
}

const parts = () => {
  const { endpoint, tokenUrl } = server
  return { outbound: own.use(createOutbound({ allow: ['127.0.0.1/32'] })), endpoint, tokenUrl }
}

async function fetch(more: Record<string, unknown> = {}) {
  const { context, kept } = makeImportContext()
  return { end: await createObjstoreBImporter(parts()).run(access(more), context), kept }
}

async function put(bytes: Buffer, more: Record<string, unknown> = {}) {
  const { context } = makeExportContext([makeExportFile('a.bin', bytes)])
  return createObjstoreBExporter(parts()).run(access(more), context)
}

const codeOf = (end: unknown) => (isFailure(end) ? end.code : end)

describe('a service account', () => {
  it('requests one token per run, and sends it with every request', async () => {
    await put(makeBytes(20 * 2 ** 20))
    expect(server.requests).toEqual([
      'POST /token',
      'POST /upload/storage/v1/b/test-bucket/o',
      'PUT /upload/storage/v1/b/test-bucket/o',
      'PUT /upload/storage/v1/b/test-bucket/o',
    ])
  })

  it('may have its key with escaped line breaks', async () => {
    await put(Buffer.from('x'))
    const private_key = server.account.privateKey.replaceAll('\n', '\\n')
    expect((await fetch({ private_key })).end).toBeUndefined()
  })

  it('gets a new token when its old one ends early', async () => {
    const bytes = makeBytes(20 * 2 ** 20)
    const file = makeExportFile('a.bin', bytes)
    // The token was issued before the bytes are first read: the request that carries them, or the next one, gets a 401.
    const open = async (from = 0) => {
      if (file.opened.length === 0) server.endTokens()
      return file.open(from)
    }
    const { context } = makeExportContext([{ ...file, open }])
    const end = await createObjstoreBExporter(parts()).run(access(), context)
    expect(end).toMatchObject([{ size: bytes.length }])
    expect(server.requests.filter((line) => line === 'POST /token')).toHaveLength(2)
    expect((await fetch()).kept).toMatchObject([{ sha256: sha256Of(bytes) }])
  })

  it.each([
    ['nothing', ''],
    ['a key of another kind', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })],
    [
      'credentials that would run a program',
      JSON.stringify({
        type: 'external_account',
        credential_source: { executable: { command: '/bin/true' } },
        token_url: 'http://127.0.0.1/',
      }),
    ],
    [
      'a whole key file with a token address of its own',
      JSON.stringify({ type: 'service_account', token_uri: 'http://127.0.0.1/', universe_domain: 'evil.example.com' }),
    ],
  ])('with %s as its key is refused without a request [D-store-16]', async (_what, private_key) => {
    const { end } = await fetch({ private_key })
    expect(codeOf(end)).toBe('source_unauthorized')
    expect(server.requests).toEqual([])
  })

  it('cannot set another host for tokens or its bucket [D-store-16]', async () => {
    await put(Buffer.from('x'))
    const elsewhere = 'http://127.0.0.1:9/'
    const more = { token_uri: elsewhere, endpoint: elsewhere, apiEndpoint: elsewhere, universe_domain: 'evil.example' }
    expect((await fetch(more)).end).toBeUndefined()
  })

  it('cannot leave its bucket by a name with slashes and dots [D-store-16]', async () => {
    for (const more of [{ bucket: '../../upload' }, { bucket: 'test-bucket/o/x?' }, { file: '../../../token' }]) {
      expect(codeOf((await fetch(more)).end)).toBe('source_not_found')
    }
    expect(server.requests.every((line) => /^(POST \/token|GET \/storage\/v1\/b\/[^/]+\/o\/[^/]+)$/.test(line))).toBe(
      true,
    )
  })
})

describe('an object', () => {
  it('that is replaced while it is read is not mixed with its successor', async () => {
    const [first, second] = [makeBytes(4_000_000), Buffer.alloc(4_000_000, 'b')]
    await put(first)
    const { context } = makeImportContext()
    const got: Buffer[] = []
    const save = async (_name: string, source: AsyncIterable<Uint8Array>) => {
      for await (const chunk of source) {
        if (got.length === 0) await put(second)
        got.push(Buffer.from(chunk))
      }
    }
    const end = await createObjstoreBImporter(parts()).run(access(), { ...context, save })
    const bytes = Buffer.concat(got)
    expect(isFailure(end) || bytes.equals(first)).toBe(true)
    expect(bytes.equals(first.subarray(0, bytes.length))).toBe(true)
  })
})
