import { type EngineFamily, engineFamilies, type Lane, lanes, type ObjectId } from '@lathe/domain'

/** The kind of worker a task needs: one that transfers files, or one that runs engines. */
export const pools = ['transfer', 'process'] as const
export type Pool = (typeof pools)[number]

/**
 * Part of every name that workers and dispatchers of different releases could misunderstand. When it is raised, workers
 * also serve the former queues for one release, and are upgraded before the dispatchers.
 */
export const version = 'v2'

type Named = `transfer` | `${EngineFamily | 'any'}-${Lane}`
type FormerName = 'transfer' | 'process' | 'process-long' | 'process-alone'

/**
 * A queue name. There is one queue for transfers. Tasks that need an engine have one queue for each family and lane,
 * and `any` if the family is not known yet.
 */
export type QueueName = `${typeof version}-${Named}` | FormerName

/** The queue in which a task waits. */
export function queueOf(pool: Pool, lane: Lane = 'quick', family: EngineFamily | 'any' = 'any'): QueueName {
  return pool === 'transfer' ? `${version}-transfer` : `${version}-${family}-${lane}`
}

/** Every queue that entries are added to. */
export const queueNames: readonly QueueName[] = [
  queueOf('transfer'),
  ...lanes.flatMap((lane) => (['any', ...engineFamilies] as const).map((family) => queueOf('process', lane, family))),
]

/** The queue from which workers of the previous release took these entries. */
export function formerQueueOf(pool: Pool, lane: Lane = 'quick'): QueueName {
  return pool === 'transfer' || lane === 'quick' ? pool : `process-${lane}`
}

/** What a queue stores about a task: ids only, never payloads or secrets. */
export interface Entry {
  readonly task: ObjectId
  readonly attempt: number
  readonly step: number
  /** The owner, so that a worker can tell owners apart before it claims the task. */
  readonly owner?: ObjectId
  /** How many tasks the owner had queued or running, including this one: lower ranks go first. Default: 1. */
  readonly rank?: number
  /** The family of engines it needs, if known. */
  readonly family?: EngineFamily
  /** The job of the task. */
  readonly job?: ObjectId
  /** The tasks that provide its input files, so that these are read during the claim; left out if there are many. */
  readonly inputs?: readonly ObjectId[]
}

/** The entry's id in the queue: adding the same entry again has no effect while it waits. */
export function entryId({ task, attempt, step }: Entry): string {
  return step > 0 ? `t${task}-${attempt}-${step}` : `t${task}-${attempt}`
}

const tickMs = 8_000
// How much later an entry is due for each task that its owner has before it: about a minute.
const ticksPerRank = 8
// BullMQ allows priorities up to 2^21. Every half year they start over, and new entries then pass waiting ones.
const priorities = 2 ** 21 - 1

/**
 * When an entry is due: now for an owner's first, a minute later for its second, and so on. So owners with few tasks
 * pass owners with many, and no owner waits forever.
 */
export function priorityOf(rank: number, nowMs: number): number {
  return 1 + ((Math.floor(nowMs / tickMs) + ticksPerRank * (rank - 1)) % priorities)
}

/** An entry to add, and its delay. */
export interface Placed {
  readonly entry: Entry
  readonly delayMs: number
}

/** The entry as a BullMQ job: one attempt, and nothing is kept after it. */
export function toBullJob({ entry, delayMs }: Placed) {
  const kept = { attempts: 1, removeOnComplete: true, removeOnFail: true }
  const opts = { jobId: entryId(entry), delay: delayMs, priority: priorityOf(entry.rank ?? 1, Date.now()), ...kept }
  return { name: 'task', data: entry, opts }
}
