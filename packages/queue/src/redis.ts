import type { Logger } from '@lathe/runtime'
import { Redis, type RedisOptions } from 'ioredis'

// Short enough that Redis is used within a second after it is back, long enough not to flood a Redis that starts.
const retryMs = (times: number) => Math.min(50 * 2 ** times, 1000)

// Redis answers within a millisecond or two. If it is silent for this long, it is frozen or cut off: the connection is
// closed, and commands fail immediately until a new one is open, so that only the first callers wait. Not shorter: a
// busy process may take half a second to send a large batch and to read the answer.
const silentMs = 1_000
// Lets a connection that only listens detect that the other side is gone.
const keepAliveMs = 5_000

/**
 * A connection whose commands fail immediately while Redis is unavailable or frozen, for callers that work without it.
 */
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
  return reportOutages(redis, log)
}

const patience = {
  maxRetriesPerRequest: null,
  connectTimeout: 2000,
  keepAlive: keepAliveMs,
  retryStrategy: retryMs,
  // See `keepSubscribed`: errors of the library's own resubscription cannot be handled.
  autoResubscribe: false,
} satisfies RedisOptions

/** A connection whose commands wait until Redis is back, for callers that cannot work without it. */
export function connectPatient(url: string, log: Logger): Redis {
  return reportOutages(new Redis(url, patience), log)
}

/** The same for BullMQ workers, which copy it for blocking reads and keep the copies open while Redis is unavailable. */
export function connectWorkers(url: string, log: Logger): CopiedRedis {
  return reportOutages(new CopiedRedis(url, patience), log)
}

class CopiedRedis extends Redis {
  private readonly copies: Redis[] = []

  override duplicate<Override extends Partial<RedisOptions> | undefined = undefined>(override?: Override) {
    const copy = super.duplicate(override)
    this.copies.push(copy)
    return copy
  }

  /** Closes the connection and its copies without waiting for anything. */
  disconnectAll(): void {
    for (const connection of [this, ...this.copies]) connection.disconnect()
  }
}

/**
 * Subscribes a patient connection, and again whenever it reconnects; calls `onSubscribed` each time. Settles with the
 * first subscription.
 */
export function keepSubscribed(redis: Redis, names: readonly string[], onSubscribed = () => {}): Promise<void> {
  return new Promise((resolve) => {
    const subscribe = async () => {
      await redis.subscribe(...names)
      onSubscribed()
      resolve()
    }
    // Closed or lost meanwhile: the next `ready` tries again, if the connection is still in use.
    redis.on('ready', () => void subscribe().catch(() => {}))
  })
}

// Every failed reconnect is an error event; log one line when Redis goes away and one when it is back.
function reportOutages<Connection extends Redis>(redis: Connection, log: Logger): Connection {
  let away = false
  redis.on('error', (err) => {
    if (!away) log.warn({ err }, 'redis unavailable')
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info('redis available again')
    away = false
  })
  return redis
}
