import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { bytes, createDatabase, type Database, ensurePartitions, migrate } from '@lathe/database'
import type { IdMint } from '@lathe/domain'
import {
  type Caller,
  createOrchestrator,
  createWorkerDesk,
  type Orchestrator,
  type WorkerDesk,
} from '@lathe/orchestrator'
import { countCosts } from '@lathe/orchestrator/testing'
import { createDispatch, type QueueConfig } from '@lathe/queue'
import { createIds, createMetrics, silentLog, systemClock } from '@lathe/runtime'
import { startPostgres, startRedis } from '@lathe/testing'
import { type CpuMeter, meterCpu, postmasterOf, treeOf } from '../parts/cpu-time.ts'

const hourMs = 3_600_000
/** Connections of every process's pool: the service's default. */
const connections = 16
const owners = 8
/** Slots per owner: enough that no task waits for one, because admission from a backlog is not measured. */
const slots = 64

/** The state machine in one process with a separate PostgreSQL and Redis, and without api, sandbox and storage. */
export interface Workbench extends AsyncDisposable {
  readonly database: Database
  readonly ids: IdMint
  readonly orchestrator: Orchestrator
  readonly desk: WorkerDesk
  readonly queue: QueueConfig
  readonly callers: readonly Caller[]
  /** Adds an owner without any tasks. */
  addOwner(): Promise<Caller>
  /** Starts a meter for this process, PostgreSQL and Redis. */
  meterCpu(): CpuMeter
  /** How many commits the state machine has made. */
  commits(): number
}

export async function createWorkbench(prefix: string): Promise<Workbench> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.adopt(await mkdtemp('/var/tmp/lathe-bench-'), (made) => rm(made, { recursive: true }))
  await chmod(folder, 0o755)
  const { url } = stack.use(await startPostgres(folder))
  await migrate(url)
  const database = stack.use(createDatabase({ url, connections }))
  await fillTheDay(database)
  const { counted, costs } = countCosts(database)
  const redis = stack.adopt(await startRedis(folder), async (server) => void (await server.stop()))
  const queue = { url: redis.url, prefix }
  const servers = { postgres: treeOf(await postmasterOf(database)), redis: treeOf(redis.pid) }
  const metrics = createMetrics()
  const dispatch = stack.use(createDispatch(queue, { log: silentLog, metrics }))
  const ids = createIds(0)
  const context = { database: counted, dispatch, ids, clock: systemClock, log: silentLog, metrics }
  const callers = await Promise.all(Array.from({ length: owners }, () => addOwner(database, ids)))
  const all = stack.move()
  return {
    database,
    ids,
    orchestrator: createOrchestrator(context),
    desk: createWorkerDesk(context),
    queue,
    callers,
    addOwner: () => addOwner(database, ids),
    meterCpu: () => meterCpu(servers),
    commits: () => costs().commits,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

// After a day, a service has 24 hours of partitions, and the planner sees all of them.
async function fillTheDay({ pool }: Database): Promise<void> {
  const now = Date.now()
  for (const hours of [24, 17, 10, 3]) await ensurePartitions(pool, new Date(now - hours * hourMs))
}

async function addOwner({ pool }: Database, ids: IdMint): Promise<Caller> {
  const id = ids.next()
  await pool.query(`insert into users (id, name) values ($1, 'bench')`, [bytes(id)])
  await pool.query(`insert into owners (id, slots) values ($1, $2)`, [bytes(id), slots])
  return { ownerId: id, userId: id }
}
