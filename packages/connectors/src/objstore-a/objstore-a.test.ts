import { createOutbound, type Outbound } from '@lathe/outbound'
import { createFakeNet, type FakeNet } from '@lathe/outbound/testing'
import { Secret } from '@lathe/runtime'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { refusedUrls } from '../testing/refused-hosts.ts'
import { makeBytes, makeExportContext, makeExportFile, makeImportContext } from '../testing/transfer-contexts.ts'
import { createObjstoreAExporter, createObjstoreAImporter } from './objstore-a.ts'

const secret = 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY'
const access = { bucket: 'pictures', region: 'eu-west-1', access_key_id: 'AKIDEXAMPLE', secret_access_key: secret }
const publicAddress = '93.184.216.34'

function setUp(listener: Parameters<typeof createFakeNet>[1] = () => {}) {
  const net = createFakeNet({ 'store.example.com': [[publicAddress]], 'inner.example.com': [['10.0.0.1']] }, listener)
  return { net, outbound: createOutbound({ allow: [] }, net) }
}

/** Runs the import and the export, one after the other. */
async function ends(outbound: Outbound, payload: Record<string, unknown>) {
  const given = { ...access, key: 'a.jpg', ...payload, secret_access_key: new Secret(secret) }
  const { context } = makeExportContext([makeExportFile('a.jpg', makeBytes(10))])
  return [
    await createObjstoreAImporter({ outbound }).run(given, makeImportContext().context),
    await createObjstoreAExporter({ outbound }).run(given, context),
  ]
}

function expectNothing({ lookups, dials }: FakeNet): void {
  expect({ lookups, dials }).toEqual({ lookups: [], dials: [] })
}

afterEach(() => void vi.unstubAllEnvs())

describe('the endpoint of objstore_a', () => {
  it(`is refused in each of ${refusedUrls.length} spellings, for import and export, without a DNS query or a connection [D-store-06]`, async () => {
    const { net, outbound } = setUp()
    const reached: string[] = []
    for (const endpoint of refusedUrls) {
      const all = await ends(outbound, { endpoint })
      if (!all.every((end) => JSON.stringify(end).includes('"url_forbidden"'))) reached.push(endpoint)
    }
    expect(reached).toEqual([])
    expectNothing(net)
  })

  it('is refused when its name resolves to a forbidden address', async () => {
    const { net, outbound } = setUp()
    for (const end of await ends(outbound, { endpoint: 'https://inner.example.com' })) {
      expect(end).toMatchObject({ code: 'url_forbidden' })
    }
    expect(net.dials).toEqual([])
  })

  it.each(['us-east-1.evil/#', 'evil.example.com/', 'a b', 'A', '', '@evil', 'x'.repeat(41), 'eu-west-1\n'])(
    'is not changed by the region %j [D-store-06]',
    async (region) => {
      const { net, outbound } = setUp()
      for (const end of await ends(outbound, { region })) expect(end).toMatchObject({ code: 'url_forbidden' })
      expectNothing(net)
    },
  )

  it.each(['../x', 'a/b', 'evil.example.com/#', 'arn:aws:s3:::x', '', 'a?b'])(
    'is not changed by the bucket %j',
    async (bucket) => {
      const { net, outbound } = setUp()
      for (const end of await ends(outbound, { bucket })) expect(end).toMatchObject({ code: 'source_not_found' })
      expectNothing(net)
    },
  )

  it.each([
    ['eu-west-1', 'pictures', 'pictures.s3.eu-west-1.amazonaws.com'],
    ['cn-north-1', 'pictures', 'pictures.s3.cn-north-1.amazonaws.com.cn'],
    // A certificate covers one label, so the name of such a bucket is in the path.
    ['us-east-1', 'www.pictures', 's3.us-east-1.amazonaws.com'],
  ])('is built from the region %s [S-imp-19, S-store-05]', async (region, bucket, host) => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://evil.example.com')
    vi.stubEnv('AWS_ENDPOINT_URL_S3', 'http://evil.example.com')
    vi.stubEnv('AWS_USE_FIPS_ENDPOINT', 'true')
    vi.stubEnv('AWS_USE_DUALSTACK_ENDPOINT', 'true')
    const { net, outbound } = setUp()
    await ends(outbound, { region, bucket })
    expect([...new Set(net.lookups)]).toEqual([host])
  })
})

describe('a request of objstore_a', () => {
  const endpoint = 'http://user:pass@store.example.com:8000/base/?q#f'

  it('is signed with the given key, whatever the environment offers [D-store-08]', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDOFTHEMACHINE')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'machine')
    vi.stubEnv('AWS_PROFILE', 'nobody')
    const seen: unknown[] = []
    const { outbound } = setUp(({ url, headers }, response) => {
      seen.push({ url, authorization: headers.authorization?.slice(0, 40) })
      response.writeHead(404).end()
    })
    await ends(outbound, { endpoint })
    const authorization = 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/'
    expect(seen).toEqual([
      { url: '/base/pictures/a.jpg?x-id=GetObject', authorization },
      { url: '/base/pictures/a.jpg?x-id=PutObject', authorization },
    ])
  })

  it('follows no redirect [D-store-06]', async () => {
    let asked = 0
    const { net, outbound } = setUp((_, response) => {
      asked++
      const location = 'http://other.example.com/'
      response.writeHead(307, { location, 'x-amz-bucket-region': 'us-west-2' }).end()
    })
    for (const end of await ends(outbound, { endpoint })) {
      expect(end).toMatchObject({ code: 'source_refused', text: expect.stringContaining('another region') })
    }
    expect({ asked, hosts: new Set(net.lookups) }).toEqual({ asked: 2, hosts: new Set(['store.example.com']) })
  })
})

describe('a refusal by an S3 server', () => {
  it.each([
    [403, 'InvalidAccessKeyId', 'source_unauthorized'],
    [403, 'SignatureDoesNotMatch', 'source_unauthorized'],
    [400, 'ExpiredToken', 'source_unauthorized'],
    [403, 'AccessDenied', 'source_forbidden'],
    [403, 'AllAccessDisabled', 'source_forbidden'],
    [404, 'NoSuchKey', 'source_not_found'],
    [404, 'NoSuchBucket', 'source_not_found'],
    [400, 'AuthorizationHeaderMalformed', 'source_refused'],
    [403, 'InvalidObjectState', 'source_refused'],
    [400, 'constructor', 'source_refused'],
    [503, 'SlowDown', 'source_unreachable'],
    [500, 'InternalError', 'source_unreachable'],
    [429, 'TooManyRequests', 'source_unreachable'],
  ])('with %i %s becomes %s, without the text of the server [D-store-05]', async (status, code, expected) => {
    const { outbound } = setUp((request, response) => {
      const echo = `<Message>${secret} ${request.headers.authorization}</Message>`
      request.resume()
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<Error><Code>${code}</Code>${echo}</Error>`)
    })
    for (const end of await ends(outbound, { endpoint: 'http://store.example.com' })) {
      expect(end).toMatchObject({ code: expected, detail: `status ${status} ${code}` })
      expect(JSON.stringify(end)).not.toContain(secret)
    }
  })

  it('with an invalid code is reported by its status only', async () => {
    const { outbound } = setUp((_, response) => {
      response.writeHead(400, { 'content-type': 'application/xml' })
      response.end(`<Error><Code>AKIDEXAMPLE/${secret}</Code></Error>`)
    })
    for (const end of await ends(outbound, { endpoint: 'http://store.example.com' })) {
      expect(end).toMatchObject({ code: 'source_refused', detail: 'status 400' })
    }
  })
})
