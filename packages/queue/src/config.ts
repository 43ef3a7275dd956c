import { secretVariable } from '@lathe/runtime'
import { type Static, Type } from 'typebox'

/** Settings of the queues. */
export const queueEnv = Type.Object({
  REDIS_URL: secretVariable({
    default: 'redis://127.0.0.1:6379',
    description: 'Redis or Valkey, for queues, signals and rate limits',
  }),
  REDIS_PREFIX: Type.String({
    default: 'lathe',
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'Prefix of every key and channel, so that several installations can share one Redis',
  }),
})

export interface QueueConfig {
  readonly url: string
  readonly prefix: string
}

/** The queue's part of the configuration of a process. */
export function queueConfig(env: Static<typeof queueEnv>): QueueConfig {
  return { url: env.REDIS_URL, prefix: env.REDIS_PREFIX }
}
