import type { Logger } from '@lathe/runtime'
import { Redis } from 'ioredis'

// Soon enough that a Redis that is back is used within a second, rare enough not to hammer one that is starting.
const retryMs = (times: number) => Math.min(50 * 2 ** times, 1000)

// Redis answers within a millisecond or two. One that is silent for this long is frozen or cut off: the connection is
// closed, and commands fail at once until a new one has been answered. So only the first callers wait.
// Not shorter: a busy process may take half a second to send a large batch and to read the answer.
const silentMs = 1_000
// A connection that only listens finds out this way that the other side is gone.
const keepAliveMs = 5_000

/** A connection whose commands fail at once while Redis is away or frozen, for whoever can do without. */
export function connectFast(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1_500,
    socketTimeout: silentMs,
    keepAlive: keepAliveMs,
    connectTimeout: 2000,
    retryStrategy: retryMs,
  })
  return tellAboutAbsence(redis, log)
}

/** A connection whose commands wait for Redis to come back, for whoever has nothing else to do. */
export function connectPatient(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    connectTimeout: 2000,
    keepAlive: keepAliveMs,
    retryStrategy: retryMs,
    // See `keepSubscribed`: nobody would hear that the library's own subscription failed.
    autoResubscribe: false,
  })
  return tellAboutAbsence(redis, log)
}

/**
 * Subscribes a patient connection, and again whenever Redis was away; `onSubscribed` hears each time. Settles with the
 * first subscription.
 */
export function keepSubscribed(redis: Redis, names: readonly string[], onSubscribed = () => {}): Promise<void> {
  return new Promise((resolve) => {
    const subscribe = async () => {
      await redis.subscribe(...names)
      onSubscribed()
      resolve()
    }
    // Closed or lost on the way: the next time Redis is ready it is tried again, if anybody still listens.
    redis.on('ready', () => void subscribe().catch(() => {}))
  })
}

// Every failed reconnect is an error event; one line when Redis goes and one when it is back say it all.
function tellAboutAbsence(redis: Redis, log: Logger): Redis {
  let away = false
  redis.on('error', (err) => {
    if (!away) log.warn({ err }, 'redis is away')
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info('redis is back')
    away = false
  })
  return redis
}
