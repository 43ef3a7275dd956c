/**
 * Moves a large file through the whole service into a store of each kind, from there to there, and back, on real
 * servers: every SHA-256 must be the same, and the worker's memory must not grow by more than 64 MB. `npm run transfers
 * -- --size=1GB --only=objstore_a --storage=s3`; the storage is the service's own, s3 or disk.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppProcess, startStack } from '@lathe/testing'
import { createClient } from '../client.ts'
import { conclude, readWords } from '../command.ts'
import { startFileServer } from '../file-server.ts'
import { carry } from './carry.ts'
import { serve, sha256Of } from './content.ts'
import { openStore, type Store, type StoreName, storeNames } from './stores.ts'

const mostGrowth = 64_000_000
// SFTP encrypts in one thread on both sides: a gigabyte would take many minutes.
const mostMegabytes: Partial<Record<StoreName, number>> = { sftp: 256 }
// A first file takes the whole way, so that one-time allocations of a process do not count as growth.
const warmUp = 64

const words = readWords(['size', 'only', 'storage'])
const asked = readMegabytes(words.size ?? '8MB')
const only = words.only?.split(',') ?? storeNames
const storage = words.storage === 'disk' ? 'disk' : 's3'
const names = storeNames.filter((known) => only.includes(known))
let passed = 0
const faults: string[] = []

await using own = new AsyncDisposableStack()
const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-transfers-')), (made) => rm(made, { recursive: true }))
const stores: Store[] = []
for (const name of names) stores.push(own.use(await openStore(name)))
const env = Object.assign({}, ...stores.map((store) => store.env))
const stack = own.use(await startStack({ env, storage }))
const { key } = await stack.createKey()
const api = createClient({ url: stack.url, key, recordFile: join(folder, 'exercised') })
const [worker] = stack.apps('worker')
if (!worker) throw new Error('the stack has no worker')

for (const store of stores) {
  const megabytes = Math.min(asked, mostMegabytes[store.name] ?? asked)
  await prove(store, worker, megabytes).catch((error) =>
    faults.push(`${store.name}: ${(error as Error).message}\n${stack.tails(5)}`),
  )
}
for (const fault of faults) console.log(`FAILED ${fault}`)
conclude(passed, faults.length)

async function prove(store: Store, worker: AppProcess, megabytes: number): Promise<void> {
  const { name } = store
  await using files = await startFileServer({
    '/warm.bin': serve(Math.min(warmUp, megabytes)),
    '/file.bin': serve(megabytes),
  })
  await carry(api, { url: `${files.url}/warm.bin`, store, worker })
  const { seconds, growth, digests } = await carry(api, { url: `${files.url}/file.bin`, store, worker })
  const rate = `${((megabytes * digests.length) / seconds).toFixed(0)} MB/s`
  console.log(
    `${name}: ${megabytes} MB, 5 ways in ${seconds.toFixed(0)} s (${rate}), ${(growth / 1e6).toFixed(1)} MB more`,
  )
  const expected = sha256Of(megabytes)
  for (const [n, digest] of digests.entries()) check(digest === expected, `${name}: SHA-256 of way ${n + 1}: ${digest}`)
  check(growth <= mostGrowth, `${name}: the worker grew by ${(growth / 1e6).toFixed(1)} MB`)
}

function check(holds: boolean, otherwise: string): void {
  if (holds) passed++
  else faults.push(otherwise)
}

function readMegabytes(word: string): number {
  const [, count, unit] = /^(\d{1,6})(MB|GB)$/.exec(word) ?? []
  if (count === undefined) throw new Error(`${word} is no size such as 8MB or 1GB`)
  return Number(count) * (unit === 'GB' ? 1000 : 1)
}
