import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Task } from '@lathe/contract'
import { amount } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, newClient, stack } from '../scenario.ts'
import { formOf } from '../upload.ts'

const MiB = 1024 * 1024
const size = amount({ whole: 2048, sample: 512 }) * MiB
const block = randomBytes(MiB)

let api: Client
let task: Task
const sha256 = createHash('sha256')
const memory = watchMemory({ api: stack.apiPid, worker: stack.workerPid })

beforeAll(async () => {
  api = await newClient()
  // A first file goes the whole way, so that what a process loads once is not counted as growth.
  const small = await send(await api.create('import/upload'), 8)
  await drain(completed(await api.run('export/url', { input: [small.id] })).result.url ?? '')
  memory.start()
})
afterAll(() => memory.stop())

/** Every block is different, and none is kept. */
function* blocks(count: number, hash?: ReturnType<typeof createHash>): Generator<Buffer> {
  for (let i = 0; i < count; i++) {
    const next = Buffer.from(block)
    next.writeUInt32LE(i)
    hash?.update(next)
    yield next
  }
}

async function send(form: Task, count: number, hash?: ReturnType<typeof createHash>): Promise<Task> {
  const { url, parameters } = formOf(form)
  const field = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const fields = Object.entries(parameters).map(([name, value]) => field(name, value))
  const head = `${fields.join('')}--x\r\ncontent-disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`
  const tail = '\r\n--x--\r\n'
  const length = head.length + count * MiB + tail.length
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': length }
  const outgoing = request(url, { method: 'POST', headers })
  const answer = new Promise<Task>((resolve, reject) => {
    outgoing.on('response', (response) => resolve(json(response) as Promise<Task>)).on('error', reject)
  })
  function* body() {
    yield head
    yield* blocks(count, hash)
    yield tail
  }
  await pipeline(Readable.from(body()), outgoing)
  return completed(await answer)
}

async function drain(url: string): Promise<{ bytes: number; sha256: string }> {
  const response = await fetch(url)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Follows what processes hold, as the kernel sees it, from `start` on. */
function watchMemory(pids: Readonly<Record<string, number>>) {
  const rss = (pid: number) =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  const first = new Map<string, number>()
  const most = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    for (const [name, pid] of Object.entries(pids)) most.set(name, Math.max(most.get(name) ?? 0, rss(pid)))
  }
  return {
    start() {
      for (const [name, pid] of Object.entries(pids)) first.set(name, rss(pid))
      timer = setInterval(look, 50)
    },
    stop: () => clearInterval(timer),
    growth: (name: string) => (most.get(name) ?? 0) - (first.get(name) ?? 0),
  }
}

describe('a file of 2 GB', { timeout: 240_000 }, () => {
  it('is accepted, and its SHA-256 is correct', async () => {
    task = await send(await api.create('import/upload'), size / MiB, sha256)
    expect(task.result.files).toMatchObject([{ size, sha256: sha256.copy().digest('hex') }])
  })

  it('is exported and downloaded with the same SHA-256', async () => {
    const link = completed(await api.run('export/url', { input: [task.id] }))
    expect(await drain(link.result.url ?? '')).toEqual({ bytes: size, sha256: sha256.copy().digest('hex') })
    await api.remove(`/v1/process/tasks/${link.id}`)
    await api.remove(`/v1/process/tasks/${task.id}`)
  })

  it('makes the memory of the api and of the worker grow by at most 128 MB on its way in and out', async ({
    annotate,
  }) => {
    const reported = ['api', 'worker'].map((name) => `${name} ${(memory.growth(name) / MiB).toFixed()} MB`).join(', ')
    await annotate(`growth at most: ${reported}`)
    expect(memory.growth('api')).toBeGreaterThan(0)
    expect(memory.growth('api') / MiB).toBeLessThan(128)
    expect(memory.growth('worker') / MiB).toBeLessThan(128)
  })
})
