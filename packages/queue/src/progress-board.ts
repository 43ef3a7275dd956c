import type { ObjectId, Progress } from '@lathe/domain'
import { type Logger, type Metrics, withDeadline } from '@lathe/runtime'
import type { Redis } from 'ioredis'
import { channels, type ProgressMessage } from './signals.ts'

/** Where running tasks tell how far they are. A hint: nothing here throws, and what is not there is simply not known. */
export interface ProgressBoard {
  tell(task: ProgressOf, progress: Progress): Promise<void>
  read(taskIds: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, Progress>>
}

/** The task that tells, and whose it is. */
export interface ProgressOf {
  readonly id: ObjectId
  readonly jobId: ObjectId | null
  readonly ownerId: ObjectId
}

// An engine that is silent for longer, or dead, is not known to be anywhere.
const keptS = 60
const deadlineMs = 1000

interface BoardParts {
  /** A connection whose commands fail at once while Redis is away. */
  readonly redis: Redis
  readonly prefix: string
  readonly log: Logger
  readonly metrics: Metrics
}

export function createProgressBoard({ redis, prefix, log, metrics }: BoardParts): ProgressBoard {
  const keyOf = (taskId: ObjectId) => `${prefix}:progress:${taskId}`
  const channel = channels(prefix).progress

  async function ask<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await withDeadline(work(), deadlineMs)
    } catch (err) {
      metrics.dispatchFailures.inc({ kind: 'progress' })
      log.debug({ err }, 'redis did not take a hint')
      return undefined
    }
  }

  return {
    async tell({ id, jobId, ownerId }, { percent, secondsLeft }) {
      const message: ProgressMessage = { task: id, job: jobId, owner: ownerId, percent, secondsLeft }
      await ask(() =>
        Promise.all([
          redis.set(keyOf(id), JSON.stringify({ percent, secondsLeft }), 'EX', keptS),
          redis.publish(channel, JSON.stringify(message)),
        ]),
      )
    },
    async read(taskIds) {
      if (taskIds.length === 0) return new Map()
      const values = (await ask(() => redis.mget(taskIds.map(keyOf)))) ?? []
      return new Map(taskIds.flatMap((id, i) => (values[i] ? [[id, JSON.parse(values[i])] as const] : [])))
    },
  }
}
