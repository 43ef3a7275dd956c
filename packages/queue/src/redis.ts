import type { Logger } from '@lathe/runtime'
import { Redis } from 'ioredis'

// Soon enough that a Redis that is back is used within a second, rare enough not to hammer one that is starting.
const retryMs = (times: number) => Math.min(50 * 2 ** times, 1000)

/** A connection whose commands fail at once while Redis is away, for whoever can do without. */
export function connectFast(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1000,
    connectTimeout: 2000,
    retryStrategy: retryMs,
  })
  return tellAboutAbsence(redis, log)
}

/** A connection whose commands wait for Redis to come back, for whoever has nothing else to do. */
export function connectPatient(url: string, log: Logger): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 2000, retryStrategy: retryMs })
  return tellAboutAbsence(redis, log)
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
