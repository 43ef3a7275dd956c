import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMcpServer, createUploads } from '@lathe/mcp'
import { Lathe } from '@lathe/sdk'
import { waitFor } from '@lathe/testing'
import {
  type CallToolResult,
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client as Api, createClient } from '../client.ts'
import { type InstalledCli, installCli } from '../install-cli.ts'
import { fixture, newKey, stack } from '../scenario.ts'

let key: string
let folder: string
let cli: InstalledCli
let api: Api
const clients: Client[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lathe-mcp-time-'))
  ;({ key } = await newKey({ slots: 8, scopes: ['task.read', 'task.write'] }))
  api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
  cli = await installCli()
  writeFileSync(join(folder, 'photo.jpg'), fixture('photo-100k.jpg'))
  writeFileSync(join(folder, 'large.bin'), randomBytes(9_000_000))
}, 120_000)
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  cli[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function connected(transport: Parameters<Client['connect']>[0]): Promise<Client> {
  const client = new Client({ name: 'a test', version: '1' })
  await client.connect(transport)
  clients.push(client)
  return client
}

const overHttp = () => {
  const headers = { authorization: `Bearer ${key}` }
  return connected(new StreamableHTTPClientTransport(new URL(`${stack.url}/mcp`), { requestInit: { headers } }))
}
const overStdio = () => {
  const env = { PATH: `${cli.bin}:/usr/bin:/bin`, HOME: folder, LATHE_URL: stack.url, LATHE_KEY: key }
  return connected(new StdioClientTransport({ command: 'lathe', args: ['mcp', '--allow', folder], env }))
}

const textOf = ({ content }: CallToolResult) =>
  content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n')
const linksOf = ({ content }: CallToolResult) => content.flatMap((one) => (one.type === 'resource_link' ? [one] : []))
const call = (client: Client, name: string, args: Record<string, unknown>, options = {}) =>
  client.callTool({ name, arguments: args }, options) as Promise<CallToolResult>

describe.each([
  { name: 'HTTP', connect: overHttp },
  { name: 'stdin and stdout', connect: overStdio },
])('progress over $name', ({ connect }) => {
  it('is notified while a job runs, and only grows', async () => {
    const client = await connect()
    const photo = await api.run('import/base64', {
      file: `data:image/jpeg;base64,${fixture('photo-100k.jpg').toString('base64')}`,
      filename: 'photo.jpg',
    })
    const seen: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress)
    // Long enough for progress on any machine.
    const args = { file: photo.id, to: 'avif', options: { width: 4000 } }
    expect(linksOf(await call(client, 'convert', args, { onprogress })).length).toBe(1)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
  })
})

it('a call ends within a minute while its job continues, over both transports', async () => {
  const attempts = [overHttp, overStdio].map(async (connect) => {
    const client = await connect()
    // Its file is not uploaded yet, so the job cannot end.
    const { structuredContent } = await call(client, 'request_upload', { filename: 'photo.jpg' })
    const { handle, url, fields } = structuredContent as {
      handle: string
      url: string
      fields: Record<string, string>
    }
    const startedAt = performance.now()
    // The default limit of clients, which is a minute, must be enough.
    const started = await call(client, 'convert', { file: handle, to: 'webp' })
    const seconds = (performance.now() - startedAt) / 1000
    expect(seconds).toBeGreaterThan(45)
    expect(seconds).toBeLessThan(60)
    expect([started.isError, textOf(started)]).toEqual([undefined, expect.stringContaining('Call get_job')])
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([new Uint8Array(fixture('photo-100k.jpg'))]), 'photo.jpg')
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200)
    const { job } = started.structuredContent as { job: string }
    expect(linksOf(await call(client, 'get_job', { job })).map(({ name }) => name)).toEqual(['photo.webp'])
  })
  await Promise.all(attempts)
})

/** A local server in this process, for connections that are slow or fail at will. */
async function local(fetchOf: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch, callMs = 1000) {
  const lathe = new Lathe({ baseUrl: stack.url, key, retries: 4, fetch: fetchOf(globalThis.fetch) })
  const uploads = createUploads()
  const server = createMcpServer({ lathe, version: '1', callMs, local: { checkPath: (path) => path, uploads } })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(ours)
  return { client: await connected(theirs), uploads }
}

const newest = async () => (await api.jobs('?per_page=1&include=tasks')).docs[0]
const archive = () => ({ operation: 'archive', file: join(folder, 'large.bin') })

describe('a local file that is uploaded slowly', () => {
  it('continues after the call, and its job can be queried', async () => {
    const { promise: open, resolve: letGo } = Promise.withResolvers<void>()
    const { client } = await local((fetch) => async (url, init) => {
      if (init?.method === 'PATCH') await open
      return fetch(url, init)
    })
    const started = await call(client, 'process', archive())
    expect([started.isError, textOf(started)]).toEqual([
      undefined,
      expect.stringMatching(/0 % of its files are uploaded/),
    ])
    const { job } = started.structuredContent as { job: string }
    expect((await api.job(job)).status).not.toBe('failed')
    letGo()
    const seen: number[] = []
    const ended = await waitFor(
      async () => {
        const now = await call(
          client,
          'get_job',
          { job },
          { onprogress: ({ progress }: { progress: number }) => void seen.push(progress) },
        )
        return linksOf(now).length > 0 ? now : undefined
      },
      { withinMs: 60_000, what: 'the archive' },
    )
    expect(linksOf(ended)[0]?.name).toMatch(/\.zip$/)
  })

  it('cancels its job and says why when it fails', async () => {
    const { client } = await local(
      (fetch) => async (url, init) => {
        if (init?.method === 'PATCH')
          return Response.json({ errorCode: 'form_used', msg: 'is closed' }, { status: 410 })
        return fetch(url, init)
      },
      20_000,
    )
    const failed = await call(client, 'process', archive())
    expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringMatching(/could not be uploaded.*is closed/)])
    expect((await newest())?.tasks?.map(({ status }) => status)).toContain('canceled')
  })

  it.each(['cancels the call', 'leaves'])('cancels its job when the client %s', async (how) => {
    const { client, uploads } = await local(
      (fetch) => async (url, init) => {
        if (init?.method !== 'PATCH') return fetch(url, init)
        return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
      },
      30_000,
    )
    const stop = new AbortController()
    const before = (await newest())?.id
    const running = call(client, 'process', archive(), { signal: stop.signal }).catch(() => undefined)
    const job = await waitFor(
      async () => {
        const now = await newest()
        return now !== undefined && now.id !== before ? now : undefined
      },
      { withinMs: 20_000, what: 'a new job' },
    )
    if (how === 'leaves') await uploads.stop()
    else stop.abort()
    await running
    await waitFor(async () => (await api.job(job.id)).status === 'failed', { withinMs: 20_000, what: 'its end' })
  })
})

it('no retry of the service outlasts a call', async () => {
  const busy = () =>
    Response.json({ errorCode: 'unavailable', msg: 'away' }, { status: 503, headers: { 'retry-after': '30' } })
  const { client } = await local(() => async () => busy())
  for (const [name, args] of [
    ['find_formats', {}],
    ['get_options', { from: 'jpg', to: 'webp' }],
    ['request_upload', { filename: 'a' }],
    ['get_job', { job: '0'.repeat(24) }],
    ['cancel_job', { job: '0'.repeat(24) }],
    ['convert', { file: '0'.repeat(24), to: 'webp' }],
    ['capture', { url: 'http://127.0.0.1/' }],
  ] as const) {
    const startedAt = performance.now()
    const failed = await call(client, name, args)
    expect([name, failed.isError, textOf(failed)]).toEqual([
      name,
      true,
      expect.stringContaining('did not answer within'),
    ])
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  }
})

describe('an error names the nearest valid value', () => {
  it.each([
    ['get_options', { from: 'jpg', to: 'wepb' }, 'Did you mean webp?'],
    ['process', { operation: 'spilt', file: '0'.repeat(24) }, 'Did you mean split?'],
    ['capture', { url: 'http://127.0.0.1/', to: 'pgn' }, 'Did you mean png?'],
    ['capture', { url: 'http://127.0.0.1/', options: { waitfor: 'a' } }, 'Did you mean wait_for?'],
    ['capture', { url: 'http://127.0.0.1/', options: { paper_size: 'a44' } }, 'Did you mean a4?'],
  ])('of %s with %j', async (name, args, says) => {
    const client = await overHttp()
    const failed = await call(client, name, args)
    expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringContaining(says)])
  })

  it('for the options of a file, before and after its format is known', async () => {
    const client = await overStdio()
    const convert = (options: object) =>
      call(client, 'convert', { file: join(folder, 'photo.jpg'), to: 'webp', options: { ...options } })
    for (const [options, says] of [
      [{ qualty: 80 }, 'Did you mean quality?'],
      [{ fit: 'insid' }, 'Did you mean inside?'],
    ] as const) {
      const failed = await convert(options)
      expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringContaining(says)])
    }
  })
})
