import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMcpServer, createUploads } from '@lathe/mcp'
import { Lathe } from '@lathe/sdk'
import { startStack, waitFor } from '@lathe/testing'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { installCli } from '../install-cli.ts'
import { createN8nHost } from '../n8n-host.ts'
import { noisePicture } from './support/noise-picture.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

// Longer than the retries of any client.
const outageMs = 15_000
// Above 8 MB: it is sent in parts.
const size = { width: 2400, height: 1800 }
const pythonSource = fileURLToPath(new URL('../../../clients/python/src', import.meta.url))
const pythonProgram = `
import lathe
print(lathe.Lathe().convert("noise.png", "webp").save("python.webp"))
`

it('every client converts its file while the api is stopped and started, and cancels nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-outage-'))
  using cli = await installCli()
  await using stack = await startStack({ storage: 'disk' })
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [api] = stack.apps('api')
  if (!api) throw new Error('the stack has no api')
  const { key, ownerId } = await stack.createKey({ slots: 10 })
  const path = join(folder, 'noise.png')
  writeFileSync(path, noisePicture(size.width, size.height))
  mkdirSync(join(folder, 'out'))
  const env = { LATHE_URL: stack.url, LATHE_KEY: key }

  async function withSdk() {
    const file = await new Lathe({ baseUrl: stack.url, key }).convert(path as `${string}.png`, 'webp')
    return (await file.bytes()).length
  }
  async function withCli() {
    const end = await cli.run(['convert', path, '--to', 'webp', '--output', join(folder, 'out')], { cwd: folder, env })
    expect([end.code, end.err]).toEqual([0, expect.stringContaining('1 done')])
    return readFileSync(join(folder, 'out/noise.webp')).length
  }
  async function withPython() {
    const more = { PATH: '/usr/bin:/bin', PYTHONPATH: pythonSource, PYTHONDONTWRITEBYTECODE: '1' }
    await promisify(execFile)('/usr/bin/python3', ['-c', pythonProgram], { cwd: folder, env: { ...env, ...more } })
    return readFileSync(join(folder, 'python.webp')).length
  }
  async function withMcp() {
    const lathe = new Lathe({ baseUrl: stack.url, key })
    const local = { checkPath: (one: string) => one, uploads: createUploads() }
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await createMcpServer({ lathe, version: '1', local }).connect(ours)
    const client = new Client({ name: 'a test', version: '1' })
    await client.connect(theirs)
    cleanup.defer(() => client.close())
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })
    let answer = await call('convert', { file: path, to: 'webp' })
    // A call ends within a minute.
    const content = () => answer.structuredContent as { job: string; status: string; files: { size: number }[] }
    while (!answer.isError && content().status !== 'completed') answer = await call('get_job', { job: content().job })
    expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy()
    return content().files[0]?.size
  }
  async function withN8n() {
    const host = await createN8nHost(folder, { baseUrl: stack.url, apiKey: key })
    const [action = ''] = host.about.n8n.nodes
    const node = new (host.load(action).Lathe as new () => { execute(this: object): Promise<never[][]> })()
    const binary = { data: host.store(readFileSync(path), 'noise.png') }
    const parameters = {
      operation: 'convert',
      inputField: 'data',
      inputFormat: 'png',
      outputFormat: 'webp',
      wait: 'running',
    }
    const [[made] = []] = await node.execute.call(host.createContext({ parameters, items: [{ json: {}, binary }] }))
    return host.contentOf(made).length
  }

  const clients = [withSdk, withCli, withPython, withMcp, withN8n]
  const work = Promise.allSettled(clients.map((run) => run()))
  // In different phases: some upload, others have a conversion under way.
  await waitFor(
    async () => {
      const rows = await listTaskRows(stack, ownerId)
      const isUploaded = ({ operation, status }: (typeof rows)[number]) =>
        operation === 'import/upload' && status === 'completed'
      return rows.length === 2 * clients.length && rows.filter(isUploaded).length >= 2
    },
    { withinMs: 120_000, everyMs: 20, what: 'a job of each client' },
  )
  await api.stop('SIGTERM')
  await pause(outageMs)
  await api.restart()

  const ends = await work
  expect(ends, stack.tails()).toEqual(clients.map(() => ({ status: 'fulfilled', value: expect.any(Number) })))
  expect(new Set(ends.map((end) => end.status === 'fulfilled' && end.value)).size).toBe(1)
  expect(readdirSync(join(folder, 'out'))).toEqual(['noise.webp'])
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'completed'))
  expect(rows).toHaveLength(2 * clients.length)
}, 600_000)
