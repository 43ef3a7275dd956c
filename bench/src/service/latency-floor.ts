import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readEnv } from '@lathe/runtime'
import { createStore, storageConfig, storageEnv } from '@lathe/storage'
import type { Stack } from '@lathe/testing'
import { figure, type Measure, median } from '../parts/measure.ts'
import { withCommits } from './commit-rate.ts'

const warmCalls = 20
const calls = 60
/** A conversion is created, claimed and completed, each in its own commit. */
const commitsPerTask = 3

/**
 * The minimum time of the parts around the engine on this machine: an HTTP request to an empty server, the commits of a
 * task, and reading its input and writing its output with our storage client.
 */
export async function measureLatencyFloor(stack: Stack, path: string): Promise<readonly Measure[]> {
  const parts = {
    http: await timeRequests(),
    commits: commitsPerTask * (await withCommits(stack.database, medianTime)),
    ...(await timeStorage(stack, await readFile(path))),
  }
  const all = Object.values(parts).reduce((sum, ms) => sum + ms, 0)
  return [
    ...Object.entries(parts).map(([name, ms]) => figure(`latency_floor_${name}`, ms, 'ms')),
    figure('latency_floor', all, 'ms'),
  ]
}

// A plain request, because the floor is the time of the request alone, without an SDK.
async function timeRequests(): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    return await medianTime(async () => void (await (await fetch(url, { method: 'POST', body: '{}' })).text()))
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function timeStorage(stack: Stack, bytes: Buffer): Promise<{ fetch: number; store: number }> {
  await using store = await createStore(storageConfig(readEnv(storageEnv, stack.storageEnv)))
  const { signal } = new AbortController()
  const file = { size: bytes.length, read: async (to: Uint8Array, at: number) => bytes.copy(to, 0, at) }
  const keys: string[] = []
  const put = async () => {
    const key = `bench-${randomBytes(8).toString('hex')}/0`
    keys.push(key)
    await store.putFile(key, file, { signal })
  }
  const open = async () => {
    for await (const _ of (await store.open(keys[0] ?? '', { signal })) ?? []);
  }
  try {
    const stored = await medianTime(put)
    return { fetch: await medianTime(open), store: stored }
  } finally {
    await store.delete(keys)
  }
}

async function medianTime(work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let call = -warmCalls; call < calls; call += 1) {
    const startedAt = performance.now()
    await work()
    if (call >= 0) times.push(performance.now() - startedAt)
  }
  return median(times)
}
