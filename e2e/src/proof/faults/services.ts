import { setTimeout as pause } from 'node:timers/promises'
import type { Inflict } from './fault.ts'

/** Empties Redis. */
export const flushRedis: Inflict = async ({ stack }) => {
  await stack.redis.command('flushall')
  return 'redis'
}

/** Pauses Redis: connections stay open, but it does not respond. */
export const freezeRedis: Inflict = async ({ stack }, { forMs }) => {
  stack.redis.kill('SIGSTOP')
  await pause(forMs)
  stack.redis.kill('SIGCONT')
  return 'redis'
}

/** Kills Redis; it restarts empty. */
export const restartRedis: Inflict = async ({ stack }, { forMs }) => {
  await stack.redis.stop('SIGKILL')
  await pause(forMs)
  await stack.redis.restart()
  return 'redis'
}

/** Ends PostgreSQL like a power cut. */
export const restartPostgres: Inflict = async ({ postgres }, { forMs }) => {
  await postgres.crash()
  await pause(forMs)
  await postgres.start()
  return 'postgres'
}

/** Drops every packet between the processes and PostgreSQL. */
export const swallowPostgres: Inflict = async ({ postgresProxy }, { forMs }) => {
  // Leftovers of the last time would use up PostgreSQL's connections.
  postgresProxy.dropDead()
  postgresProxy.swallow()
  await pause(forMs)
  postgresProxy.pass()
  return 'postgres'
}

/** Makes the store unavailable: connections are refused, or their packets dropped. */
export const takeS3Away: Inflict = async ({ s3Proxy }, { forMs, dice }) => {
  s3Proxy.dropDead()
  if (dice < 0.5) s3Proxy.cut()
  else s3Proxy.swallow()
  await pause(forMs)
  s3Proxy.pass()
  return dice < 0.5 ? 's3, refused' : 's3, silent'
}
