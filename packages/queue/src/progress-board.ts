import type { ObjectId, Progress } from '@lathe/domain'
import { type Logger, type Metrics, withDeadline } from '@lathe/runtime'
import type { Redis } from 'ioredis'
import { channels, type ProgressMessage } from './signals.ts'

/** The progress of running tasks. It is only a hint: nothing here throws, and missing progress is simply unknown. */
export interface ProgressBoard {
  tell(task: ProgressOf, progress: Progress): Promise<void>
  read(taskIds: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, Progress>>
}

/** The task that reports progress, and its owner. */
export interface ProgressOf {
  readonly id: ObjectId
  readonly jobId: ObjectId | null
  readonly ownerId: ObjectId
}

// Progress expires if the engine reports nothing for longer, or died.
const keptS = 60
const deadlineMs = 1000

interface BoardParts {
  /** A connection whose commands fail immediately while Redis is unavailable. */
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
      log.debug({ err }, 'hint not sent to redis')
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
