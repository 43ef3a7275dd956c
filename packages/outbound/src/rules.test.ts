import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { createOutbound } from './outbound.ts'
import { type Purpose, purposes } from './purposes.ts'
import { createRules, type PlaceLists } from './rules.ts'
import { parseTarget } from './target.ts'
import { createFakeNet } from './testing/fake-net.ts'

const { signal } = new AbortController()
const zone = {
  'minio.internal': [['10.20.0.5']],
  minio: [['10.20.0.6']],
  'a.blob.internal': [['10.20.0.7']],
  'rebound.example.com': [['10.20.0.5']],
  'files.example.com': [['93.184.216.34']],
}

/** The outcome of a GET for a purpose: a status, or the reason why not. */
async function reach(lists: PlaceLists, purpose: Purpose | undefined, url: string) {
  const net = createFakeNet(zone, (_, response) => void response.end())
  await using doors = createOutbound(lists, net)
  const door = purpose === undefined ? doors : doors.for(purpose)
  const end = await door.get(url, { signal, maxSize: 100 })
  if (isFailure(end)) return { end: end.code, dials: net.dials }
  end.body.destroy()
  return { end: end.status, dials: net.dials }
}

describe('S10: a host that is allowed for one purpose', () => {
  const allow = ['objstore_a=minio.internal:9000', 'objstore_a=10.20.0.9:9000']

  it('is reached for that purpose, by name and by address', async () => {
    expect(await reach({ allow }, 'objstore_a', 'http://minio.internal:9000/')).toEqual({
      end: 200,
      dials: ['10.20.0.5 9000'],
    })
    expect(await reach({ allow }, 'objstore_a', 'http://10.20.0.9:9000/')).toMatchObject({ end: 200 })
  })

  it.each([undefined, ...purposes.filter((purpose) => purpose !== 'objstore_a')])(
    'is not reached for %s',
    async (purpose) => {
      const refused = { end: 'url_forbidden', dials: [] }
      for (const host of ['minio.internal', '10.20.0.9', 'rebound.example.com'])
        expect(await reach({ allow }, purpose, `http://${host}:9000/`)).toEqual(refused)
    },
  )

  it.each([
    'http://minio.internal:9001/',
    'http://minio.internal/',
    'http://10.20.0.9:9001/',
    'http://10.20.0.5:9000/',
    'http://other.minio.internal:9000/',
    'http://rebound.example.com:9000/',
  ])('does not open %s next to it', async (url) => {
    expect(await reach({ allow }, 'objstore_a', url)).toEqual({ end: 'url_forbidden', dials: [] })
  })

  it('may be a name of one label, or all names under one', async () => {
    const named = ['url=minio:9000', 'blobstore=*.blob.internal:10000']
    expect(await reach({ allow: named }, 'url', 'http://minio:9000/')).toMatchObject({ end: 200 })
    expect(await reach({ allow: named }, 'blobstore', 'http://a.blob.internal:10000/')).toMatchObject({ end: 200 })
    expect(await reach({ allow: named }, 'blobstore', 'http://blob.internal:10000/')).toMatchObject({
      end: 'url_forbidden',
    })
  })

  it('is refused behind a redirect of another purpose', async () => {
    const net = createFakeNet(zone, (_, response) => {
      response.writeHead(302, { location: 'http://minio.internal:9000/' }).end()
    })
    await using doors = createOutbound({ allow }, net)
    const end = await doors.for('url').get('http://files.example.com/', { signal, maxSize: 100 })
    expect(end).toMatchObject({ code: 'url_forbidden' })
    expect(net.dials).toEqual(['93.184.216.34 80'])
  })

  it('may be an SFTP server on port 22', async () => {
    const net = createFakeNet(zone, () => {})
    await using doors = createOutbound({ allow: ['sftp=minio.internal:22'] }, net)
    const socket = await doors.for('sftp').connect('minio.internal', 22, signal)
    if (isFailure(socket)) throw new Error(socket.code)
    socket.destroy()
    expect(await doors.connect('minio.internal', 22, signal)).toMatchObject({ code: 'url_forbidden' })
    expect(net.dials).toEqual(['10.20.0.5 22'])
  })
})

describe('a range without a purpose', () => {
  it.each([undefined, ...purposes])('is open for %s, as it was before there were purposes', async (purpose) => {
    const allow = ['10.20.0.0/16']
    expect(await reach({ allow }, purpose, 'http://rebound.example.com:9000/')).toMatchObject({ end: 200 })
    expect(await reach({ allow }, purpose, 'http://10.20.3.4/')).toMatchObject({ end: 200 })
    expect(await reach({ allow }, purpose, 'http://10.21.0.1/')).toEqual({ end: 'url_forbidden', dials: [] })
    // Ranges open addresses, not names.
    expect(await reach({ allow }, purpose, 'http://minio.internal:9000/')).toMatchObject({ end: 'url_forbidden' })
  })
})

describe('S10: OUTBOUND_DENY', () => {
  const refused = { end: 'url_forbidden', dials: [] }

  it('denies what is public or allowed, in any notation', async () => {
    const lists = { allow: ['10.20.0.0/16', 'url=minio:9000'], deny: ['10.20.0.5', '93.184.0.0/16', 'minio'] }
    for (const host of ['10.20.0.5', 'rebound.example.com', 'files.example.com', '93.184.216.34', 'minio:9000'])
      expect(await reach(lists, 'url', `http://${host}/`)).toEqual(refused)
    expect(await reach(lists, 'url', 'http://10.20.0.6/')).toMatchObject({ end: 200 })
  })

  it('denies one purpose and one port if it names them', async () => {
    const lists = { allow: [], deny: ['webpage=*.example.com', 'webhook=files.example.com:8443'] }
    expect(await reach(lists, 'webpage', 'http://files.example.com/')).toEqual(refused)
    expect(await reach(lists, 'url', 'http://files.example.com/')).toMatchObject({ end: 200 })
    expect(await reach(lists, 'webhook', 'http://files.example.com:8443/')).toEqual(refused)
    expect(await reach(lists, 'webhook', 'http://files.example.com/')).toMatchObject({ end: 200 })
  })
})

describe('names that are not public', () => {
  it.each(['localhost', 'x.internal', 'example'])('%s is refused without a DNS query', (name) => {
    const target = parseTarget(`http://user:secret@${name}/`)
    if (isFailure(target)) throw new Error('parsed')
    expect(createRules({ allow: [] }).judge(target)).toEqual({
      kind: 'failure',
      code: 'url_forbidden',
      detail: 'host name',
    })
  })
})
