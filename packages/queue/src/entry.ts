import { type EngineFamily, engineFamilies, type Lane, lanes, type ObjectId } from '@lathe/domain'

/** Which kind of worker a task is for: moving bytes, or running engines. */
export type Pool = 'transfer' | 'process'

/**
 * A version is in the name of all that workers and dispatchers of different releases could misunderstand. When it is
 * raised, workers serve the former queues too for one release, and are upgraded before those who dispatch.
 */
export const version = 'v2'

type Named = `transfer` | `${EngineFamily | 'any'}-${Lane}`
type FormerName = 'transfer' | 'process' | 'process-long' | 'process-alone'

/** A queue: one for transfers; for tasks that need an engine, one for each family and lane, and `any` where no family is known yet. */
export type QueueName = `${typeof version}-${Named}` | FormerName

/** The queue in which a task waits. */
export function queueOf(pool: Pool, lane: Lane = 'quick', family: EngineFamily | 'any' = 'any'): QueueName {
  return pool === 'transfer' ? `${version}-transfer` : `${version}-${family}-${lane}`
}

/** Every queue that work is put into. */
export const queueNames: readonly QueueName[] = [
  queueOf('transfer'),
  ...lanes.flatMap((lane) => (['any', ...engineFamilies] as const).map((family) => queueOf('process', lane, family))),
]

/** Where workers of the release before looked for what is in this queue now. */
export function formerQueueOf(pool: Pool, lane: Lane = 'quick'): QueueName {
  return pool === 'transfer' || lane === 'quick' ? pool : `process-${lane}`
}

/** All a queue knows of a task: ids only, never payloads or secrets. */
export interface Entry {
  readonly task: ObjectId
  readonly attempt: number
  readonly step: number
  /** Whose it is, so that a worker can tell owners apart before it claims. */
  readonly owner?: ObjectId
  /** How many tasks its owner had queued or running with it: those of owners with fewer go first. 1 if not given. */
  readonly rank?: number
  /** The engines it needs, as far as is known. */
  readonly family?: EngineFamily
  /** The job it is in. */
  readonly job?: ObjectId
  /** The tasks it takes files from, so that they are read while it is claimed; left out where they are many. */
  readonly inputs?: readonly ObjectId[]
}

/** The queue's own id of an entry: adding the same one again is harmless while it waits. */
export function entryId({ task, attempt, step }: Entry): string {
  return step > 0 ? `t${task}-${attempt}-${step}` : `t${task}-${attempt}`
}

const tickMs = 8_000
// How much later an entry comes for each task its owner has in front of it: about a minute.
const ticksPerRank = 8
// BullMQ takes priorities up to 2^21. Once in half a year they begin anew, and what waits then is passed by new entries.
const priorities = 2 ** 21 - 1

/**
 * When an entry's turn is: now for an owner's first, a minute later for its second, and so on. So owners with few tasks
 * pass those with many, and nobody is passed for ever.
 */
export function priorityOf(rank: number, nowMs: number): number {
  return 1 + ((Math.floor(nowMs / tickMs) + ticksPerRank * (rank - 1)) % priorities)
}

/** An entry to be queued, and when and where in the queue. */
export interface Placed {
  readonly entry: Entry
  readonly delayMs: number
}

/** The entry as BullMQ takes it: one try, and nothing kept of it. */
export function toBullJob({ entry, delayMs }: Placed) {
  const kept = { attempts: 1, removeOnComplete: true, removeOnFail: true }
  const opts = { jobId: entryId(entry), delay: delayMs, priority: priorityOf(entry.rank ?? 1, Date.now()), ...kept }
  return { name: 'task', data: entry, opts }
}
