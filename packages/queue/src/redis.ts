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
 * Errors of a Redis that is no longer, or not yet, the one that takes writes: after a failover it is a replica, or it
 * still loads. Its address may lead to another server now, so the connection is opened again. Errors inside scripts
 * have a minus sign in front of the word.
 */
const otherRole = /(?:^|-)(READONLY|LOADING|UNBLOCKED|MASTERDOWN)\b/

/**
 * A connection whose commands fail immediately while Redis is unavailable or frozen, for callers that work without it.
 */
export function connectFast(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    // The command itself fails: its caller does not wait.
    reconnectOnError: (error) => (otherRole.test(error.message) ? 1 : false),
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
  // The command is sent again.
  reconnectOnError: (error) => (otherRole.test(error.message) ? 2 : false),
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

const repeatMs = 60_000

/**
 * Warns of what Redis refuses, once a minute for each kind of error: no room, no permission, a wrong mode. Other errors
 * are those of lost connections, which the connection reports itself.
 */
export function createRefusalLog(log: Logger): (err: unknown, facts?: Readonly<Record<string, unknown>>) => void {
  const warnedAt = new Map<string, number>()
  return (err, facts = {}) => {
    if (!(err instanceof Error) || err.name !== 'ReplyError') return
    const kind = otherRole.exec(err.message)?.[1] ?? err.message.split(' ', 1)[0] ?? ''
    const now = performance.now()
    if (now - (warnedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < repeatMs) return
    warnedAt.set(kind, now)
    log.warn({ err, kind, ...facts }, 'redis refuses commands')
  }
}

const contactMs = 2_000

/**
 * Throws if Redis runs in cluster mode: scripts of the queue use several keys, which a cluster keeps on several servers.
 * Whether Redis is there at all does not matter.
 */
export async function refuseCluster(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: contactMs,
    commandTimeout: contactMs,
    retryStrategy: () => null,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    if (!/^cluster_enabled:1/m.test(await redis.info('cluster'))) return
  } catch {
    // Away, or INFO is forbidden.
    return
  } finally {
    redis.disconnect()
  }
  throw new Error(
    'REDIS_URL is a Redis in cluster mode, which Lathe cannot use. Switch cluster mode off, or use another Redis.',
  )
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
