import {
  type Database,
  findBacklog,
  findQueued,
  findRuns,
  findWaiting,
  type PoolRun,
  type QueuedTask,
  type WaitingTask,
} from '@lathe/database'
import { estimateWait, firstIdAt, type ObjectId, oldestWithFilesAt, type QueuePlace } from '@lathe/domain'
import type { Clock } from '@lathe/runtime'

/** Finds the queue positions of waiting tasks. */
export interface QueueLook {
  read(ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, QueuePlace>>
}

// Limits of a query; tasks further behind have no position.
const mostCounted = 1_000
const mostQueued = 4_000
const mostRuns = 400
const keptMs = 1_000
const mostKept = 100
const hourMs = 3_600_000

/** The tasks that wait in a queue, and recent runs from it. */
interface Line {
  readonly positions: ReadonlyMap<ObjectId, number>
  readonly runs: readonly PoolRun[]
}

const nowhere = { position: null, secondsToStart: null, secondsToEnd: null } as const

/**
 * Reads the queues when a client asks, never when tasks are created or claimed. A process reads the queues of a pool,
 * and the backlog of an owner, at most once a second.
 */
export function createQueueLook({ database, clock }: { database: Pick<Database, 'pool'>; clock: Clock }): QueueLook {
  const db = database.pool

  async function runsBefore(first: ObjectId | undefined, ownerId?: ObjectId): Promise<readonly PoolRun[]> {
    if (first === undefined) return []
    const since = firstIdAt(new Date(clock.now().getTime() - hourMs))
    return findRuns(db, { since, before: first, most: mostRuns, ...(ownerId && { ownerId }) })
  }

  async function lookAtPool(pool: string): Promise<Line> {
    const queued = await findQueued(db, { pool, since: oldestOpen(clock.now()), most: mostQueued })
    const queues = Map.groupBy(queued, queueOf)
    const positions = [...queues.values()].flatMap((queue) => queue.map(({ id }, i) => [id, i + 1] as const))
    return { positions: new Map(positions), runs: await runsBefore(queued[0]?.id) }
  }

  async function lookAtOwner(ownerId: ObjectId): Promise<Line> {
    const ids = await findBacklog(db, { ownerId, since: oldestOpen(clock.now()), most: mostCounted })
    return { positions: new Map(ids.map((id, i) => [id, i + 1])), runs: await runsBefore(ids[0], ownerId) }
  }

  const lineOfPool = createKeeper(clock, lookAtPool)
  const lineOfOwner = createKeeper(clock, lookAtOwner)

  async function placesForSlot(tasks: readonly WaitingTask[]): Promise<readonly Entry[]> {
    const byOwner = Map.groupBy(tasks, ({ ownerId }) => ownerId)
    const found = [...byOwner].map(async ([ownerId, own]) => {
      const { positions, runs } = await lineOfOwner(ownerId)
      return own.map((task) => toEntry(task, 'slot', positions.get(task.id), runs, clock.now()))
    })
    return (await Promise.all(found)).flat()
  }

  async function placesForWorker(tasks: readonly WaitingTask[]): Promise<readonly Entry[]> {
    const byPool = Map.groupBy(tasks, ({ pool }) => pool)
    const found = [...byPool].map(async ([pool, own]) => {
      const { positions, runs } = await lineOfPool(pool)
      return own.map((task) => {
        const like = runs.filter((run) => run.pool === pool && queueOf(run) === queueOf(task))
        return toEntry(task, 'worker', positions.get(task.id), like, clock.now())
      })
    })
    return (await Promise.all(found)).flat()
  }

  return {
    async read(ids) {
      if (ids.length === 0) return new Map()
      const { input = [], slot = [], worker = [] } = Object.groupBy(await findWaiting(db, ids), reasonOf)
      const [forSlot, forWorker] = await Promise.all([placesForSlot(slot), placesForWorker(worker)])
      const forInput = input.map(({ id }): Entry => [id, { waitsFor: 'input', ...nowhere }])
      return new Map([...forInput, ...forSlot, ...forWorker])
    },
  }
}

/** Runs `look` at most once a second per name, for any number of callers. */
function createKeeper<T>(clock: Clock, look: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const kept = new Map<string, { readonly until: number; readonly seen: Promise<T> }>()
  return (name) => {
    const nowMs = clock.now().getTime()
    const known = kept.get(name)
    if (known && known.until > nowMs) return known.seen
    const seen = look(name)
    kept.delete(name)
    kept.set(name, { until: nowMs + keptMs, seen })
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    seen.catch(() => kept.delete(name))
    return seen
  }
}

type Entry = readonly [ObjectId, QueuePlace]

function reasonOf({ pending, slot }: WaitingTask): QueuePlace['waitsFor'] {
  if (pending > 0) return 'input'
  return slot ? 'worker' : 'slot'
}

/** Which queue of its pool a task waits in. */
const queueOf = ({ lane, needs }: Pick<QueuedTask, 'lane' | 'needs'>) => `${lane} ${needs}`

/** A task without a position has just left the queue, is newer than the last look, or is too far behind. */
function toEntry(
  { id, operation, to }: WaitingTask,
  waitsFor: QueuePlace['waitsFor'],
  position: number | undefined,
  runs: readonly PoolRun[],
  now: Date,
): Entry {
  if (position === undefined || position > mostCounted) return [id, { waitsFor, ...nowhere }]
  return [id, { waitsFor, position, ...estimateWait({ position, operation, to }, runs, now) }]
}

/** Tasks created before this have ended: their files are gone. */
const oldestOpen = (now: Date) => firstIdAt(new Date(oldestWithFilesAt(now).getTime() - hourMs))
