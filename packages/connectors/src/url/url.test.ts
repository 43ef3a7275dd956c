import { Readable } from 'node:stream'
import { failure } from '@lathe/domain'
import { type GetOptions, type Outbound, type OutboundResponse, TransferFailed } from '@lathe/outbound'
import { describe, expect, it } from 'vitest'
import { createFakeContext, type FakeOptions } from '../testing/fake-context.ts'
import { createUrlImporter } from './url.ts'

interface Source {
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly chunks?: readonly string[]
  /** The error with which the body ends, after its chunks. */
  readonly breaks?: Error
}

function setUp(source: Source | ReturnType<typeof failure>, options: FakeOptions = {}) {
  const asked: { url: string; options: GetOptions }[] = []
  const bodies: Readable[] = []
  const outbound: Pick<Outbound, 'get'> = {
    async get(url, getOptions) {
      asked.push({ url, options: getOptions })
      if ('kind' in source) return source
      const body = Readable.from(pieces(source))
      bodies.push(body)
      return { status: 200, url: source.url ?? url, headers: source.headers ?? {}, body } satisfies OutboundResponse
    },
  }
  const fake = createFakeContext(options)
  const run = (payload: Record<string, unknown>) => createUrlImporter({ outbound }).run(payload, fake.context)
  return { ...fake, asked, bodies, run }
}

async function* pieces({ chunks = ['data'], breaks }: Source): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk)
  if (breaks) throw breaks
}

const url = 'https://files.example.com/pictures/cat%20%26%20dog.jpg?size=large'

describe('import/url', () => {
  it('saves what the source sends, within the limits of its task [S-gen-07]', async () => {
    const { run, asked, saved, bodies, context } = setUp({ chunks: ['first ', 'second'] }, { maxSize: 77 })
    expect(await run({ url })).toBeUndefined()
    expect(saved).toEqual([{ filename: 'cat & dog.jpg', text: 'first second' }])
    expect(asked).toEqual([{ url, options: { signal: context.signal, maxSize: 77 } }])
    expect(bodies[0]?.destroyed).toBe(true)
  })

  it.each([
    [
      'the payload',
      { url, filename: 'mine.png' },
      { 'content-disposition': 'attachment; filename=theirs.png' },
      'mine.png',
    ],
    ['the source', { url }, { 'content-disposition': 'attachment; filename=theirs.png' }, 'theirs.png'],
    ['the address', { url }, {}, 'cat & dog.jpg'],
    ['the address, when the source tells none', { url }, { 'content-disposition': 'attachment' }, 'cat & dog.jpg'],
    [
      'the address, when the source tells folders alone',
      { url },
      { 'content-disposition': 'attachment; filename="../.."' },
      'cat & dog.jpg',
    ],
    [
      'the source, without its folders',
      { url },
      { 'content-disposition': 'attachment; filename="../../etc/x.png"' },
      'x.png',
    ],
    [
      'the source, without turned text',
      { url },
      { 'content-disposition': "a; filename*=utf-8''a%E2%80%AEgnp.exe" },
      'agnp.exe',
    ],
    ['nobody', { url: 'https://files.example.com/' }, {}, 'file'],
    ['a path with encoded slashes', { url: 'https://example.com/a%2F..%2Fb.png' }, {}, 'b.png'],
    ['a path with a lone percent sign', { url: 'https://example.com/100%.png' }, {}, '100%.png'],
  ])('takes the name from %s [S-imp-10]', async (_who, payload, headers, filename) => {
    const { run, saved } = setUp({ headers })
    await run(payload)
    expect(saved[0]?.filename).toBe(filename)
  })

  it('takes the name from the URL after redirects', async () => {
    const { run, saved } = setUp({ url: 'https://cdn.example.net/real.webp' })
    await run({ url: 'https://example.com/go' })
    expect(saved[0]?.filename).toBe('real.webp')
  })

  it.each(['url_forbidden', 'source_not_found', 'source_unauthorized', 'limit_exceeded'] as const)(
    'passes %s on [D-op-40]',
    async (code) => {
      const { run, saved } = setUp(failure(code))
      expect(await run({ url })).toEqual(failure(code))
      expect(saved).toEqual([])
    },
  )

  it.each(['source_unreachable', 'limit_exceeded'] as const)(
    'gives the failure of a transfer that ends with %s and saves nothing',
    async (code) => {
      const { run, saved, bodies } = setUp({ chunks: ['half'], breaks: new TransferFailed(failure(code)) })
      expect(await run({ url })).toEqual(failure(code))
      expect(saved).toEqual([])
      expect(bodies[0]?.destroyed).toBe(true)
    },
  )

  it('throws the errors of the storage, and closes the source', async () => {
    const { run, bodies } = setUp({}, { saveFails: new Error('bucket gone') })
    await expect(run({ url })).rejects.toThrow('bucket gone')
    expect(bodies[0]?.destroyed).toBe(true)
  })

  it('throws the abort of a canceled task', async () => {
    const { run } = setUp({ breaks: new DOMException('stop', 'AbortError') })
    await expect(run({ url })).rejects.toThrow('stop')
  })

  it('reports progress by Content-Length', async () => {
    const chunks = Array.from({ length: 400 }, () => 'x'.repeat(5))
    const { run, shares } = setUp({ headers: { 'content-length': '2000' }, chunks })
    await run({ url })
    expect(shares).toHaveLength(100)
    expect(shares.at(0)).toBe(0.01)
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })

  it.each([{}, { 'content-length': 'x' }, { 'content-length': '4', 'content-encoding': 'gzip' }])(
    'reports no progress for a meaningless length: %j',
    async (headers) => {
      const { run, shares } = setUp({ headers })
      await run({ url })
      expect(shares).toEqual([])
    },
  )
})
