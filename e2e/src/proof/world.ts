import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AppProcess,
  type S3Server,
  type Stack,
  type StackKey,
  type StackPostgres,
  startStack,
  startTcpProxy,
  type TcpProxy,
} from '@lathe/testing'
import { mountDisk, type SmallDisk } from './faults/small-disk.ts'

/** A whole service on separate services, with access to everything that can be disturbed. */
export interface World extends AsyncDisposable {
  readonly stack: Stack
  readonly postgres: StackPostgres
  readonly postgresProxy: TcpProxy
  readonly s3Proxy: TcpProxy
  /** The scratch file system of each worker; none where mounting is not permitted. */
  readonly disks: ReadonlyMap<AppProcess, SmallDisk>
  readonly owners: readonly StackKey[]
  /** The URL of an api that is not known to be down. */
  url(): string
}

export interface WorldOptions {
  readonly s3: S3Server
  /** Contains the mounts. */
  readonly folder: string
  readonly owners: number
}

const [apis, workers, schedulers] = [2, 2, 2]
// Few enough that each owner has a backlog now and then.
const slots = 6
// The load converts images only. Starting the engines of all families takes three times the processor time, after every
// fault that ends a worker.
const workerEnv = { WORKER_SCRATCH_FREE_MIB: '32', WORKER_FAMILIES: 'image' }

// The least that is allowed, so that a round sees objects deleted.
const unreferencedS = 60
/** Old enough for the scheduler to have deleted an unreferenced object, although faults stop it for minutes. */
export const mostUnreferencedMs = 6 * unreferencedS * 1000

/** Starts several of each process on a separate PostgreSQL, Redis and bucket. */
export async function startWorld({ s3, folder, owners: ownerCount }: WorldOptions): Promise<World> {
  await using parts = new AsyncDisposableStack()
  const s3Proxy = parts.use(await startTcpProxy(s3.endpoint))
  const stack = parts.use(
    await startStack({
      apis,
      workers: 0,
      schedulers,
      privatePostgres: true,
      postgresProxy: true,
      s3Endpoint: s3Proxy.through(s3.endpoint).replace(/\/$/, ''),
      appEnv: {
        api: { LISTENERS_PER_KEY: '100000', LISTENERS_PER_OWNER: '100000', LISTENERS_AT_ONCE: '100000' },
        scheduler: { UNREFERENCED_OBJECTS_S: `${unreferencedS}` },
      },
    }),
  )
  const { postgres, postgresProxy } = stack
  if (!postgres || !postgresProxy) throw new Error('the stack has no PostgreSQL of its own')
  const places = Array.from({ length: workers }, (_, n) => join(folder, `scratch-${n}`))
  const mounted: SmallDisk[] = []
  for (const place of places) {
    await mkdir(place, { recursive: true })
    mounted.push(parts.use(await mountDisk(place)))
  }
  const started = await Promise.all(
    places.map((place) => stack.addWorker({ env: { ...workerEnv, LATHE_SCRATCH_DIR: place } })),
  )
  const disks = new Map(started.map((worker, n) => [worker, mounted[n] as SmallDisk]))
  // Workers write there until they are killed, so they end first.
  parts.defer(async () => void (await Promise.all([...disks.keys()].map((worker) => worker.stop()))))
  const owners: StackKey[] = []
  for (let n = 0; n < ownerCount; n++) owners.push(await stack.createKey({ slots }))
  const all = parts.move()
  let turn = 0
  return {
    stack,
    postgres,
    postgresProxy,
    s3Proxy,
    disks,
    owners,
    url() {
      const running = stack.apps('api').filter(({ isRunning }) => isRunning)
      const from = running.length > 0 ? running : stack.apps('api')
      return from[turn++ % from.length]?.url ?? ''
    },
    // May be called twice: by its user, and by a signal.
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
