import { bytes, createDatabase, type Database, type Executor, ensurePartitions } from '@lathe/database'
import type { IdMint } from '@lathe/domain'
import {
  type Caller,
  createOrchestrator,
  createWorkerDesk,
  type Orchestrator,
  type WorkerDesk,
} from '@lathe/orchestrator'
import { createDispatch, type QueueConfig } from '@lathe/queue'
import { createIds, createMetrics, silentLog, systemClock } from '@lathe/runtime'
import { createTestDatabase, testServices } from '@lathe/testing'

const hourMs = 3_600_000
/** Room in every process's pool, as the service has by default. */
const connections = 16
const owners = 8
/** What an owner has room for, so that no task waits for a slot: admission from a backlog is not what is measured. */
const slots = 64

/** The state machine in one process: real PostgreSQL and Redis, no api, no sandbox, no storage. */
export interface Workbench extends AsyncDisposable {
  readonly database: Database
  readonly ids: IdMint
  readonly orchestrator: Orchestrator
  readonly desk: WorkerDesk
  readonly queue: QueueConfig
  readonly callers: readonly Caller[]
  /** How many commits the state machine has asked for. */
  commits(): number
}

export async function createWorkbench(prefix: string): Promise<Workbench> {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await createTestDatabase())
  const database = stack.use(createDatabase({ url, connections }))
  await fillTheDay(database)
  const { counted, commits } = countCommits(database)
  const queue = { url: testServices().redisUrl, prefix }
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
    commits,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Transactions, and statements of their own that write; a read alone costs no flush. */
function countCommits(database: Database): { readonly counted: Database; commits(): number } {
  let commits = 0
  function query(...args: Parameters<Executor['query']>) {
    if (!/^\s*select\b/i.test(String(args[0]))) commits += 1
    return database.pool.query(...args)
  }
  const counted: Database = {
    ...database,
    pool: { query: query as Executor['query'] },
    async transaction(work) {
      const value = await database.transaction(work)
      commits += 1
      return value
    },
  }
  return { counted, commits: () => commits }
}

// A service that has run for a day has 24 hours of partitions behind it, and the planner sees them all.
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
