import type { FaultName, Inflict } from './fault.ts'
import { fillDisk, freeze, kill, setClockAhead } from './processes.ts'
import { flushRedis, freezeRedis, restartPostgres, restartRedis, swallowPostgres, takeS3Away } from './services.ts'

/** The implementation of each fault. */
export const inflict: Readonly<Record<FaultName, Inflict>> = {
  kill,
  freeze,
  'full-disk': fillDisk,
  'clock-ahead': setClockAhead,
  'redis-flush': flushRedis,
  'redis-freeze': freezeRedis,
  'redis-restart': restartRedis,
  'postgres-restart': restartPostgres,
  'postgres-black-hole': swallowPostgres,
  's3-outage': takeS3Away,
}
