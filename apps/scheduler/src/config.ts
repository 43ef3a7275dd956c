import { databaseConfig, databaseEnv } from '@lathe/database'
import { queueConfig, queueEnv } from '@lathe/queue'
import { readEnv, runtimeConfig, runtimeEnv } from '@lathe/runtime'
import { storageConfig, storageEnv } from '@lathe/storage'
import { Type } from 'typebox'

/** What the scheduler reads besides its packages' settings. */
export const schedulerEnv = Type.Object({
  LATHE_UPLOAD_TIMEOUT_S: Type.Integer({
    minimum: 1,
    default: 3600,
    description: 'Seconds an upload task waits for its file before it fails with upload_timeout',
  }),
  METRICS_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address the metrics of a worker or scheduler listen on',
  }),
  METRICS_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 0,
    description: 'Port for the metrics of a worker or scheduler; 0: any free port, named in the log',
  }),
})

const env = Type.Object({
  ...runtimeEnv.properties,
  ...schedulerEnv.properties,
  ...databaseEnv.properties,
  ...queueEnv.properties,
  ...storageEnv.properties,
})

export type SchedulerConfig = ReturnType<typeof readConfig>

/** Reads everything the scheduler needs to know, or throws with all faults. */
export function readConfig(source: Readonly<Record<string, string | undefined>>) {
  const values = readEnv(env, source)
  return {
    runtime: runtimeConfig(values),
    uploadTimeoutMs: values.LATHE_UPLOAD_TIMEOUT_S * 1000,
    metrics: { host: values.METRICS_HOST, port: values.METRICS_PORT },
    database: databaseConfig(values),
    queue: queueConfig(values),
    storage: storageConfig(values),
  }
}
