import { databaseConfig, databaseEnv } from '@lathe/database'
import { queueConfig, queueEnv } from '@lathe/queue'
import { metricsConfig, metricsEnv, readEnv, runtimeConfig, runtimeEnv } from '@lathe/runtime'
import { storageConfig, storageEnv } from '@lathe/storage'
import { Type } from 'typebox'

/** What the scheduler reads besides its packages' settings. */
export const schedulerEnv = Type.Object({
  LATHE_UPLOAD_TIMEOUT_S: Type.Integer({
    minimum: 1,
    default: 3600,
    description: 'Seconds an upload task waits for its file before it fails with upload_timeout',
  }),
})

const env = Type.Object({
  ...runtimeEnv.properties,
  ...metricsEnv.properties,
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
    metrics: metricsConfig(values),
    uploadTimeoutMs: values.LATHE_UPLOAD_TIMEOUT_S * 1000,
    database: databaseConfig(values),
    queue: queueConfig(values),
    storage: storageConfig(values),
  }
}
