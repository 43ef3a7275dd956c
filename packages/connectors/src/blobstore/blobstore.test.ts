import { createOutbound, type Outbound } from '@lathe/outbound'
import { createFakeNet } from '@lathe/outbound/testing'
import { Secret } from '@lathe/runtime'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { refusedHosts, refusedUrls } from '../testing/refused-hosts.ts'
import { makeBytes, makeExportContext, makeExportFile, makeImportContext } from '../testing/transfer-contexts.ts'
import { createBlobstoreExporter, createBlobstoreImporter } from './blobstore.ts'
import { planBlocks } from './put-blob.ts'

const accessKey = Buffer.alloc(64, 'k').toString('base64')
const token = 'sv=2024-11-04&sp=r&sig=c2VjcmV0IHNpZ25hdHVyZQ%3D%3D'
const access = { container: 'pictures', storage_account: 'examples', blob: 'a.jpg' }
const service = 'https://{account}.blob.core.windows.net'
// Any lower-case letters and digits are a valid account name, so these contain something else or have a wrong length.
const tricks = ['evil.example.com/', 'evil.example.com#', 'a@evil', 'x?y', 'UPPER', 'ab', 'a'.repeat(25), '', 'a b']
const accounts = [...refusedHosts, ...tricks].filter((host) => !/^[a-z0-9]{3,24}$/.test(host))
const own = 'http://blobs.example.com:8000/{account}'

function setUp(listener: Parameters<typeof createFakeNet>[1] = () => {}) {
  const net = createFakeNet({ 'blobs.example.com': [['93.184.216.34']], 'inner.example.com': [['10.0.0.1']] }, listener)
  return { net, outbound: createOutbound({ allow: [] }, net) }
}

/** Runs the import and the export, one after the other. */
async function ends(outbound: Outbound, endpoint: string, payload: Record<string, unknown> = {}) {
  const given = { ...access, storage_access_key: new Secret(accessKey), ...payload }
  const parts = { outbound, endpoint }
  const { context } = makeExportContext([makeExportFile('a.jpg', makeBytes(10))])
  return [
    await createBlobstoreImporter(parts).run(given, makeImportContext().context),
    await createBlobstoreExporter(parts).run(given, context),
  ]
}

afterEach(() => void vi.unstubAllEnvs())

describe('the host of blobstore', () => {
  it(`is refused for each of ${accounts.length} spellings given as the account, without a DNS query or a connection [D-store-07]`, async () => {
    const { net, outbound } = setUp()
    const reached: string[] = []
    for (const account of accounts) {
      for (const endpoint of [service, own]) {
        const all = await ends(outbound, endpoint, { storage_account: account })
        if (!all.every((end) => JSON.stringify(end).includes('"url_forbidden"'))) reached.push(account)
      }
    }
    expect({ reached, lookups: net.lookups, dials: net.dials }).toEqual({ reached: [], lookups: [], dials: [] })
  })

  it('is a name of the service even if the account looks like a number that is an address', async () => {
    const { net, outbound } = setUp()
    await ends(outbound, service, { storage_account: '2130706433' })
    expect(new Set(net.lookups)).toEqual(new Set(['2130706433.blob.core.windows.net']))
    expect(net.dials).toEqual([])
  })

  it(`is refused in each of ${refusedUrls.length} spellings of an operator's setting, without a connection [D-store-07]`, async () => {
    const { net, outbound } = setUp()
    const reached: string[] = []
    for (const endpoint of refusedUrls) {
      const all = await ends(outbound, endpoint)
      if (!all.every((end) => JSON.stringify(end).includes('"url_forbidden"'))) reached.push(endpoint)
    }
    expect({ reached, lookups: net.lookups, dials: net.dials }).toEqual({ reached: [], lookups: [], dials: [] })
  })

  it('is refused when its name resolves to a forbidden address', async () => {
    const { net, outbound } = setUp()
    for (const end of await ends(outbound, 'https://inner.example.com/{account}')) {
      expect(end).toMatchObject({ code: 'url_forbidden' })
    }
    expect(net.dials).toEqual([])
  })

  it('is the account at the service, whatever proxies the environment names [D-store-08]', async () => {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, 'http://blobs.example.com:3128')
    const { net, outbound } = setUp()
    for (const end of await ends(outbound, service)) expect(end).toMatchObject({ code: 'source_unreachable' })
    expect(new Set(net.lookups)).toEqual(new Set(['examples.blob.core.windows.net']))
    expect(net.dials).toEqual([])
  })

  it.each(['../x', 'a/b', 'UPPER', '', 'a?b', '-a', '$logs'])(
    'is not changed by the container %j',
    async (container) => {
      const { net, outbound } = setUp()
      for (const end of await ends(outbound, own, { container }))
        expect(end).toMatchObject({ code: 'source_not_found' })
      expect(net.lookups).toEqual([])
    },
  )
})

describe('a request of blobstore', () => {
  it('is opened by the token alone where there is one, and stays at its path [D-store-18]', async () => {
    const seen: (string | undefined)[] = []
    const { outbound } = setUp(({ url, headers }, response) => {
      seen.push(url, headers.authorization)
      response.writeHead(404).end()
    })
    await ends(outbound, own, { sas_token: new Secret(`#/../../evil?${token}`) })
    const paths = seen.map((path) => path?.split('?')[0])
    expect(paths).toEqual(['/examples/pictures/a.jpg', undefined, '/examples/pictures/a.jpg', undefined])
  })

  it('follows no redirect, not even to the same host', async () => {
    let asked = 0
    const { outbound } = setUp((_, response) => {
      asked++
      response.writeHead(307, { location: 'http://blobs.example.com:8000/elsewhere' }).end()
    })
    for (const end of await ends(outbound, own)) expect(end).toMatchObject({ code: 'source_refused' })
    expect(asked).toBe(2)
  })
})

describe('a refusal by a blob server', () => {
  it.each([
    [403, 'AuthenticationFailed', 'source_unauthorized'],
    [401, 'NoAuthenticationInformation', 'source_unauthorized'],
    [403, 'AuthorizationPermissionMismatch', 'source_forbidden'],
    [403, 'AuthorizationSourceIPMismatch', 'source_forbidden'],
    [404, 'ContainerNotFound', 'source_not_found'],
    [404, 'BlobNotFound', 'source_not_found'],
    [409, 'BlobArchived', 'source_refused'],
    [409, 'InvalidBlobType', 'source_refused'],
    [503, 'ServerBusy', 'source_unreachable'],
    [500, 'InternalError', 'source_unreachable'],
  ])('with %i %s becomes %s, without the text of the server [D-store-05]', async (status, code, expected) => {
    const { outbound } = setUp((request, response) => {
      request.resume()
      response.writeHead(status, { 'x-ms-error-code': code, 'content-type': 'application/xml' })
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${request.url}</Message></Error>`)
    })
    for (const end of await ends(outbound, own, { sas_token: new Secret(token) })) {
      expect(end).toMatchObject({ code: expected, detail: `status ${status} ${code}` })
      expect(JSON.stringify(end)).not.toContain('c2VjcmV0')
    }
  })
})

describe('planBlocks', () => {
  const MiB = 2 ** 20

  it('begins with a small block, so that a refusal comes before the file', () => {
    expect(planBlocks(0)).toEqual([])
    expect(planBlocks(1)).toEqual([{ start: 0, length: 1 }])
    expect(planBlocks(65_537)).toEqual([
      { start: 0, length: 65_536 },
      { start: 65_536, length: 1 },
    ])
  })

  it.each([1, 65_536, 40 * MiB, 10 * 2 ** 30, 5 * 2 ** 40])(
    'covers %d bytes, in no more blocks than there may be',
    (size) => {
      const blocks = planBlocks(size)
      expect(blocks.length).toBeLessThanOrEqual(50_000)
      let end = 0
      for (const { start, length } of blocks) {
        expect(start).toBe(end)
        end += length
      }
      expect(end).toBe(size)
    },
  )
})
