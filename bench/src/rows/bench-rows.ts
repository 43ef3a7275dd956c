import { chmod, mkdtemp, rm } from 'node:fs/promises'
import {
  createDatabase,
  type Database,
  type Executor,
  findJob,
  findTask,
  listJobs,
  listTasks,
  migrate,
  readBacklog,
  readQueues,
  type TaskRecord,
  takeLoneLease,
} from '@lathe/database'
import { firstIdAt, oldestWithFilesAt } from '@lathe/domain'
import { createIds } from '@lathe/runtime'
import { startPostgres } from '@lathe/testing'
import { postmasterOf, treeOf } from '../parts/cpu-time.ts'
import { atMost, figure, type Measure, say } from '../parts/measure.ts'
import { databaseBytes, type Loaded, loadRows } from './load-rows.ts'
import { printPlans, spyOn } from './plans.ts'

const goalMs = 20
// How often a query is repeated, unless the time limit is reached first.
const samples = 200
const leastSamples = 30
const mostMs = 15_000
const page = { limit: 15, offset: 0 }
const loadTimeoutMs = 3_600_000

/**
 * Lists, filters, counts and claims on a table with that many tasks: `npm run bench -- rows --rows=2000000`. Uses a
 * separate PostgreSQL with default settings and removes it afterwards. Prints the query plans of everything slower than
 * the goal.
 */
export async function benchRows(
  report: (measures: readonly Measure[]) => void,
  only: readonly string[],
  isQuick: boolean,
  { rows = isQuick ? 50_000 : 2_000_000 }: Readonly<Record<string, number>>,
): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.adopt(await mkdtemp('/var/tmp/lathe-rows-'), (made) => rm(made, { recursive: true }))
  await chmod(folder, 0o755)
  const { url } = stack.use(await startPostgres(folder))
  await migrate(url)
  const started = performance.now()
  const loaded = await load(url, rows)
  const database = stack.use(createDatabase({ url, connections: 4 }))
  report([
    figure('rows: tasks', loaded.tasks, '1'),
    figure('rows: loaded in', (performance.now() - started) / 1000, 's'),
    figure('rows: size', (await databaseBytes(database.pool)) / 1e9, 'GB'),
  ])
  for (const [name, run] of Object.entries(queriesOf(database, loaded))) {
    if (only.length > 0 && !only.some((word) => name.includes(word))) continue
    report(await measureOne(database, name, run))
  }
}

async function load(url: string, rows: number): Promise<Loaded> {
  // Loading an hour of rows takes longer than the statement timeout of the service.
  await using database = createDatabase({ url, connections: 1, timeoutMs: loadTimeoutMs })
  return await loadRows(database.pool, { rows, claimable: 2 * samples })
}

type Query = (db: Executor, nth: number) => Promise<unknown>

function queriesOf({ pool }: Database, { large, usual, workerId, claimable }: Loaded): Readonly<Record<string, Query>> {
  const ids = createIds(0)
  const now = () => new Date()
  const remembered = rememberCounts()
  const since = () => firstIdAt(oldestWithFilesAt(now()))
  const lists: Record<string, Query> = {}
  for (const [who, ownerId] of Object.entries({ usual, large })) {
    const all = () => ({ ownerId, now: now(), ...page })
    Object.assign(lists, {
      [`tasks of a ${who} owner, first page with its total`]: (db) => listTasks(db, all()),
      [`tasks of a ${who} owner, first page, total remembered`]: (db) =>
        listTasks(db, { ...all(), counts: remembered }),
      [`tasks of a ${who} owner that failed`]: (db) =>
        listTasks(db, { ...all(), status: 'failed', counts: remembered }),
      [`tasks of a ${who} owner by operation`]: (db) =>
        listTasks(db, { ...all(), operation: 'convert', counts: remembered }),
      [`tasks of a ${who} owner, page 100`]: (db) => listTasks(db, { ...all(), offset: 1_500, counts: remembered }),
      [`jobs of a ${who} owner, first page, total remembered`]: (db) => listJobs(db, { ...all(), counts: remembered }),
      [`jobs of a ${who} owner by tag`]: (db) => listJobs(db, { ...all(), tag: 'tag7', counts: remembered }),
    } satisfies Record<string, Query>)
  }
  let loadedDocs: Promise<readonly TaskRecord[]> | undefined
  const known = async (nth: number) => {
    loadedDocs ??= listTasks(pool, { ownerId: usual, now: now(), limit: samples, offset: 0 }).then(({ docs }) => docs)
    const docs = await loadedDocs
    return docs[nth % docs.length] as TaskRecord
  }
  return {
    ...lists,
    'one task': async (db, nth) => findTask(db, { ownerId: usual, id: (await known(nth)).id, now: now() }),
    'one job with its tasks': async (db, nth) =>
      findJob(db, { ownerId: usual, id: (await known(nth)).jobId ?? '', now: now() }),
    'what waits in queues': (db) => readQueues(db, { pools: ['transfer', 'process'], since: since(), most: 10_000 }),
    'what waits for slots': (db) => readBacklog(db, { since: since(), most: 10_000 }),
    claim: async (db, nth) => {
      const fence = { taskId: claimable[nth] ?? '', attempt: 1, workerId }
      const lease = await takeLoneLease(db, fence, { id: ids.next(), type: 'task.started' })
      if (!lease) throw new Error('a task could not be claimed')
    },
  }
}

/** Like the api, but for the whole run: totals of large lists are counted only once in a while. */
function rememberCounts() {
  const known = new Map<string, Promise<number>>()
  return (key: string, count: () => Promise<number>) => {
    const total = known.get(key) ?? count()
    known.set(key, total)
    return total
  }
}

async function measureOne(database: Database, name: string, run: Query): Promise<readonly Measure[]> {
  const { pool } = database
  const times: number[] = []
  const spy = spyOn(pool)
  const postgresMs = treeOf(await postmasterOf(database))
  const begun = performance.now()
  const isEnough = () => times.length > leastSamples && performance.now() - begun > mostMs
  let cpuBefore = 0
  // The first run finds cold caches and fills them.
  for (let nth = 0; nth <= samples && !isEnough(); nth += 1) {
    const started = performance.now()
    await run(spy, nth)
    times.push(performance.now() - started)
    if (nth === 0) cpuBefore = postgresMs()
  }
  const cpuMs = (postgresMs() - cpuBefore) / (times.length - 1)
  const [first = 0, ...rest] = times
  const sorted = rest.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  if (at(0.99) > goalMs && name !== 'claim') {
    say(`rows: ${name} is slower than ${goalMs} ms; its statements:`)
    await printPlans(
      pool,
      spy.lastOf(() => run(spy, samples)),
    )
  }
  return [
    figure(`rows: ${name}, first`, first, 'ms'),
    // On a busy machine, CPU time tells more than wall time.
    figure(`rows: ${name}, CPU time of PostgreSQL`, cpuMs, 'ms'),
    figure(`rows: ${name}, p50`, at(0.5), 'ms'),
    atMost(`rows: ${name}, p99`, at(0.99), 'ms', goalMs),
  ]
}
