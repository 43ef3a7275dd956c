import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CallToolResult,
  Client,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCli } from '../../../scripts/packages/build-cli.ts'
import { createClient } from '../client.ts'
import { sends, startFileServer } from '../file-server.ts'
import { fixture, newKey, stack } from '../scenario.ts'
import { readSnippets } from '../snippets.ts'

const scopes = ['task.read', 'task.write'] as const
let key: string
let folder: string
const clients: Client[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lathe-mcp-'))
  ;({ key } = await newKey({ slots: 4, scopes }))
  await buildCli(join(folder, 'cli'))
  mkdirSync(join(folder, 'open'))
  writeFileSync(join(folder, 'open/photo.jpg'), fixture('photo-100k.jpg'))
  writeFileSync(join(folder, 'secret.jpg'), fixture('photo-100k.jpg'))
  symlinkSync(join(folder, 'secret.jpg'), join(folder, 'open/link.jpg'))
}, 120_000)
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function connected(transport: Parameters<Client['connect']>[0], mode?: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'a test', version: '1' }, mode ? { versionNegotiation: { mode } } : {})
  await client.connect(transport)
  clients.push(client)
  return client
}

// The settings that docs/mcp.md tells people to copy into their programs.
const [httpSettings, stdioSettings] = readSnippets('docs/mcp.md').map(({ code }) => JSON.parse(code).mcpServers.lathe)

function overHttp(ownKey = key, mode?: 'auto' | 'legacy'): Promise<Client> {
  const url = httpSettings.url.replace('https://lathe.example.com', stack.url)
  const headers = { Authorization: httpSettings.headers.Authorization.replace('YOUR_KEY', ownKey) }
  return connected(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), mode)
}

function overStdio(): Promise<Client> {
  expect(stdioSettings.command).toBe('lathe')
  const ownArgs = stdioSettings.args.map((arg: string) => arg.replace('/home/me/documents', join(folder, 'open')))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LATHE_URL: stack.url, LATHE_KEY: key }
  const args = [join(folder, 'cli/dist/lathe.js'), ...ownArgs]
  return connected(new StdioClientTransport({ command: process.execPath, args, env }))
}

const transports = [
  { name: 'HTTP', connect: () => overHttp() },
  { name: 'HTTP, with the newest version of the protocol', connect: () => overHttp(key, 'auto') },
  { name: 'stdin and stdout', connect: () => overStdio() },
]

const textOf = ({ content }: CallToolResult) =>
  content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n')
const linksOf = ({ content }: CallToolResult) => content.flatMap((one) => (one.type === 'resource_link' ? [one] : []))

/** Uploads a file as the answer of request_upload says. */
async function upload(client: Client): Promise<string> {
  const { structuredContent } = await client.callTool({ name: 'request_upload', arguments: { filename: 'photo.jpg' } })
  const { handle, url, fields } = structuredContent as { handle: string; url: string; fields: Record<string, string> }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(fixture('photo-100k.jpg'))]), 'photo.jpg')
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200)
  return handle
}

describe.each(transports)('the tools over $name', ({ connect }) => {
  let client: Client
  beforeAll(async () => {
    client = await connect()
  })
  const call = (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args }) as Promise<CallToolResult>

  it('are described in less than 6,000 characters', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(
      [
        'cancel_job',
        'capture',
        'compress',
        'convert',
        'find_formats',
        'get_job',
        'get_options',
        'merge',
        'process',
        'request_upload',
      ].sort(),
    )
    expect(JSON.stringify(tools).length).toBeLessThan(6000)
  })

  it('find formats and options', async () => {
    expect(textOf(await call('find_formats', { from: 'docx' })).split(' ')).toContain('pdf')
    expect(textOf(await call('get_options', { from: 'jpg', to: 'webp' }))).toMatch(/^quality \(integer 1\.\.100/m)
  })

  it('convert, compress and merge uploaded files, and return links', async () => {
    const handle = await upload(client)
    const converted = await call('convert', { file: handle, to: 'webp', options: { width: 64 } })
    const [link] = linksOf(converted)
    expect(link).toMatchObject({
      name: 'photo.webp',
      size: expect.any(Number),
      description: expect.stringContaining('SHA-256'),
    })
    const bytes = Buffer.from(await (await fetch(link?.uri ?? '')).arrayBuffer())
    expect(bytes.length).toBe(link?.size)
    expect(linksOf(await call('compress', { file: handle, options: { quality: 50 } })).length).toBe(1)
    const merged = await call('merge', { files: [handle, handle] })
    expect(linksOf(merged)[0]?.name).toMatch(/\.pdf$/)
    const read = await call('process', { operation: 'ocr', file: handle, to: 'txt' })
    expect(linksOf(read)[0]?.name).toBe('photo.txt')
    const marked = await call('process', { operation: 'watermark', file: handle, beside: { overlay: handle } })
    expect(linksOf(marked)[0]?.name).toBe('photo.jpg')
    const packed = await call('process', { operation: 'archive', file: handle, more_files: [handle] })
    expect(linksOf(packed)[0]?.name).toMatch(/\.zip$/)
    const { job } = merged.structuredContent as { job: string }
    expect(linksOf(await call('get_job', { job })).length).toBe(1)
    expect((await call('cancel_job', { job })).isError).toBeFalsy()
  })

  it('accept short files as data, and refuse longer ones', async () => {
    const photo = `data:image/png;name=alpha.png;base64,${fixture('alpha.png').toString('base64')}`
    expect(linksOf(await call('convert', { file: photo, to: 'webp' }))[0]?.name).toBe('alpha.webp')
    const ofSize = (size: number) =>
      `data:text/plain;name=note.txt;base64,${Buffer.alloc(size, 'a').toString('base64')}`
    const pack = (...files: string[]) =>
      call('process', { operation: 'archive', file: files[0], more_files: files.slice(1) })
    expect(linksOf(await pack(ofSize(256_000)))[0]?.name).toMatch(/\.zip$/)
    for (const refused of [await pack(ofSize(256_001)), await pack(ofSize(256_000), ofSize(1))])
      expect([refused.isError, textOf(refused)]).toEqual([
        true,
        expect.stringMatching(/at most 256 kB.*request_upload/),
      ])
    const nameless = await call('convert', { file: 'data:text/plain;base64,aGk=', to: 'pdf' })
    expect([nameless.isError, textOf(nameless)]).toEqual([true, expect.stringContaining(';name=photo.png;')])
  })

  it('return short text with its link on request', async () => {
    const note = `data:text/markdown;name=note.md;base64,${Buffer.from('# Hello\n\nA note.').toString('base64')}`
    const short = await call('convert', { file: note, to: 'txt', inline: true })
    expect(textOf(short)).toMatch(/Content of note\.txt:\n[\s\S]*A note\./)
    const { job } = short.structuredContent as { job: string }
    expect(textOf(await call('get_job', { job, inline: true }))).toContain('A note.')
    expect(textOf(await call('get_job', { job }))).not.toContain('A note.')
    const long = `data:text/markdown;name=note.md;base64,${Buffer.from('A note. '.repeat(2500)).toString('base64')}`
    const refused = await call('convert', { file: long, to: 'txt', inline: true })
    expect([linksOf(refused).length, textOf(refused)]).toEqual([1, expect.stringContaining('is not included')])
    const image = await call('process', { operation: 'thumbnail', file: await upload(client), inline: true })
    expect([linksOf(image).length, textOf(image)]).toEqual([1, expect.stringContaining('is not included')])
  })

  it('capture a web page', async () => {
    const page = sends(Buffer.from('<title>A page</title><p>Here'), { 'content-type': 'text/html' })
    await using server = await startFileServer({ '/': page })
    const url = `${server.url}/`
    expect(linksOf(await call('capture', { url }))[0]?.name).toBe('A page.pdf')
    const options = { viewport_width: 300, full_page: false, filename: 'shot' }
    const drawn = await call('capture', { url, to: 'png', options })
    expect(linksOf(drawn)[0]?.name).toBe('shot.png')
    const wrong = await call('capture', { url, to: 'png', options: { header: 'a' } })
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('applies to pdf only')])
    const unknown = await call('capture', { url, options: { selector: 'a' } })
    expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringMatching(/selector: is unknown.*wait_for/)])
  })

  it('report which field is wrong, and suggest a valid value', async () => {
    const handle = await upload(client)
    const wrong = await call('convert', { file: handle, to: 'wepb' })
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringMatching(/output_format.*Did you mean webp\?/s)])
    const option = await call('convert', { file: handle, to: 'webp', options: { quality: 900 } })
    expect([option.isError, textOf(option)]).toEqual([true, expect.stringContaining('quality')])
    expect((await call('convert', { file: handle })).isError).toBe(true)
    for (const args of [
      { file: handle, to: 'a'.repeat(4097) },
      { file: 'a'.repeat(4097), to: 'webp' },
    ]) {
      const long = await call('convert', args)
      expect([long.isError, textOf(long)]).toEqual([true, expect.stringContaining('at most 4096 characters')])
    }
    const missing = await call('get_job', { job: '0'.repeat(24) })
    expect(missing.isError).toBe(true)
  })
})

describe('access to the tools', () => {
  it('needs a key, and is limited to its scopes', async () => {
    await expect(overHttp('nonsense')).rejects.toThrow()
    const { key: readOnly } = await newKey({ slots: 1, scopes: ['task.read'] })
    const reader = await overHttp(readOnly)
    const refused = (await reader.callTool({ name: 'request_upload', arguments: { filename: 'a' } })) as CallToolResult
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('task.write')])
  })

  it('is refused with a link to the document about access (RFC 9728)', async () => {
    const refused = await fetch(`${stack.url}/mcp`, { method: 'POST', body: '{}' })
    expect(refused.status).toBe(401)
    const { resourceMetadataUrl = '' } = extractWWWAuthenticateParams(refused)
    const metadata = await discoverOAuthProtectedResourceMetadata(`${stack.url}/mcp`, { resourceMetadataUrl })
    expect(metadata).toMatchObject({ resource: `${stack.url}/mcp`, scopes_supported: scopes })
    expect((await fetch(String(metadata.resource_documentation))).status).toBe(200)
    const other = await fetch(`${stack.url}/v1/process/tasks`)
    expect([other.status, other.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('does not include jobs and tasks of others', async () => {
    const api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
    const job = await api.runJob({
      note: { operation: 'import/base64', file: 'data:text/plain;base64,aGk=', filename: 'a.txt' },
    })
    const { key: other } = await newKey({ slots: 1, scopes })
    const stranger = await overHttp(other)
    const seen = (await stranger.callTool({ name: 'get_job', arguments: { job: job.id } })) as CallToolResult
    expect([seen.isError, textOf(seen)]).toEqual([true, expect.not.stringContaining('a.txt')])
  })

  it('includes local files in allowed folders, and no others', async () => {
    const client = await overStdio()
    const convert = (file: string) =>
      client.callTool({ name: 'convert', arguments: { file, to: 'png' } }) as Promise<CallToolResult>
    expect(linksOf(await convert(join(folder, 'open/photo.jpg'))).length).toBe(1)
    for (const path of ['secret.jpg', 'open/link.jpg', 'open/../secret.jpg', 'open']) {
      const refused = await convert(join(folder, path))
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('may be read')])
    }
    const overNet = await overHttp()
    cpSync(join(folder, 'open/photo.jpg'), join(folder, 'open/other.jpg'))
    const refused = (await overNet.callTool({
      name: 'convert',
      arguments: { file: join(folder, 'open/other.jpg'), to: 'png' },
    })) as CallToolResult
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('request_upload')])
  })
})
