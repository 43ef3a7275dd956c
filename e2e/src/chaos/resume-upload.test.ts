import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '@lathe/contract'
import { type AppProcess, amount, startStack, startTcpProxy, type TcpProxy } from '@lathe/testing'
import { Upload } from 'tus-js-client'
import { expect, it } from 'vitest'
import { createClient } from './support/client.ts'

const MiB = 2 ** 20
const size = amount({ whole: 2048, sample: 128 }) * MiB
const chunk = 16 * MiB
// At these shares of the file something is done to its upload.
const kills = [0.15, 0.45, 0.75]
const cuts = [0.3, 0.6]

it('completes an upload although the api is killed three times and the network fails twice [D-op-82]', {
  timeout: 900_000,
}, async () => {
  await using own = new AsyncDisposableStack()
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-resume-')), (made) => rm(made, { recursive: true }))
  const { path, sha256 } = await writeNoise(join(folder, 'large.bin'))
  const stack = own.use(await startStack({ workers: 0 }))
  const [api] = stack.apps('api')
  if (!api) throw new Error('the stack has no api')
  const proxy = own.use(await startTcpProxy(stack.url))
  const { key } = await stack.createKey()
  const client = createClient(stack.url, key)
  const task = await client.create('import/upload')
  const url = proxy.through(await startUpload(task))
  await client.upload(randomBytes(8 * MiB), 'first.bin')
  const memory = own.use(watchMemory(api))

  const resent = await send(path, url, { api, proxy })
  const ended = await client.task(task.id)
  const growth = Math.round(memory.growth() / MiB)
  console.log(
    `${size / MiB} MiB, resent after each fault: ${resent.map((bytes) => (bytes / MiB).toFixed(1)).join(', ')} MiB`,
  )
  console.log(`the api grew by ${growth} MiB at most`)
  expect(ended.result.files).toMatchObject([{ filename: 'large.bin', size, sha256 }])
  expect(resent).toHaveLength(kills.length + cuts.length)
  expect(Math.max(...resent)).toBeLessThanOrEqual(chunk)
  expect(growth).toBeLessThanOrEqual(128)
})

async function writeNoise(path: string): Promise<{ path: string; sha256: string }> {
  const hash = createHash('sha256')
  await using file = await open(path, 'w')
  for (let n = 0; n < size / MiB; n += 1) {
    const block = randomBytes(MiB)
    hash.update(block)
    await file.write(block)
  }
  return { path, sha256: hash.digest('hex') }
}

async function startUpload({ result }: Task): Promise<string> {
  const { tusUrl = '', parameters = {} } = result.form ?? {}
  const pairs = Object.entries({ ...parameters, filename: 'large.bin' })
  const metadata = pairs.map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`).join(',')
  const about = { 'tus-resumable': '1.0.0', 'upload-length': String(size), 'upload-metadata': metadata }
  const response = await fetch(tusUrl, { method: 'POST', headers: about })
  expect(response.status).toBe(201)
  return response.headers.get('location') ?? ''
}

/** Sends the file while things happen. Gives how many bytes were sent again after each of them. */
async function send(path: string, uploadUrl: string, parts: { api: AppProcess; proxy: TcpProxy }): Promise<number[]> {
  const faults = [
    ...kills.map((at) => ({ at: at * size, harm: () => restart(parts.api) })),
    ...cuts.map((at) => ({ at: at * size, harm: () => cut(parts.proxy) })),
  ].sort((one, other) => one.at - other.at)
  const resent: number[] = []
  let sent = 0
  await new Promise<void>((onSuccess, onError) => {
    const upload = new Upload(createReadStream(path), {
      ...{ uploadUrl, uploadSize: size, chunkSize: chunk },
      retryDelays: Array.from({ length: 60 }, () => 500),
      onShouldRetry: () => true,
      onProgress(bytes) {
        // The first progress after a fault tells where it went on.
        if (bytes < sent) resent.push(sent - bytes)
        sent = bytes
        if (bytes >= (faults[0]?.at ?? size)) void faults.shift()?.harm().catch(onError)
      },
      onSuccess: () => onSuccess(),
      onError,
    })
    upload.start()
  })
  return resent
}

async function restart(api: AppProcess): Promise<void> {
  await api.stop('SIGKILL')
  await api.restart()
}

async function cut(proxy: TcpProxy): Promise<void> {
  proxy.cut()
  await pause(1500)
  proxy.pass()
}

/**
 * Follows what the api holds beyond what it holds now, whichever process it is. A first file went the whole way before,
 * so that what a process loads once is not counted.
 */
function watchMemory(api: AppProcess): Disposable & { growth(): number } {
  const first = rssOf(api.pid)
  let most = first
  const timer = setInterval(() => {
    most = Math.max(most, rssOf(api.pid))
  }, 100)
  return { growth: () => most - first, [Symbol.dispose]: () => clearInterval(timer) }
}

/** Nothing for a process that has ended. */
function rssOf(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
