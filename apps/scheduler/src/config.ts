import { anonymousEnv, anonymousIdleS, auditEnv, auditMs } from '@lathe/accounts'
import { databaseConfig, databaseEnv } from '@lathe/database'
import { uploadEnv, uploadTimeoutMs } from '@lathe/orchestrator'
import { outboundConfig, outboundEnv } from '@lathe/outbound'
import { queueConfig, queueEnv } from '@lathe/queue'
import { metricsConfig, metricsEnv, readEnv, runtimeConfig, runtimeEnv, tracesConfig, tracesEnv } from '@lathe/runtime'
import { storageConfig, storageEnv } from '@lathe/storage'
import { defaultDeliveryLimits, webhookConfig, webhookEnv } from '@lathe/webhooks'
import { Type } from 'typebox'

/** The scheduler's settings, in addition to those of its packages. */
export const schedulerEnv = Type.Object({
  LATHE_PUBLIC_URL: Type.String({
    default: 'http://127.0.0.1:8080',
    pattern: '^https?://[^/?#][^?#]*$',
    description:
      'Public URL of the api, used in links, upload forms and webhooks. Use the same value for api and scheduler. Default: the address that the api listens on',
  }),
  UNREFERENCED_OBJECTS_S: Type.Integer({
    minimum: 60,
    default: 1_800,
    description:
      'Age in seconds from which the scheduler deletes objects in the store that no file, upload or open task refers to, such as the output of a worker that was killed before it could report. Lower it if storage is scarce; lower values list the store more often',
  }),
  WEBHOOKS_AT_ONCE: Type.Integer({
    minimum: 0,
    default: 256,
    description: 'Maximum number of webhook deliveries in flight in this process. 0: this process delivers none',
  }),
  WEBHOOKS_PER_OWNER: Type.Integer({
    minimum: 1,
    default: defaultDeliveryLimits.perOwner,
    description:
      'Maximum number of webhook deliveries in flight per owner, in all processes together. Raise it if owners have many short tasks and slow receivers; keep it far below WEBHOOKS_AT_ONCE',
  }),
})

const env = Type.Object({
  ...runtimeEnv.properties,
  ...tracesEnv.properties,
  ...metricsEnv.properties,
  ...schedulerEnv.properties,
  ...uploadEnv.properties,
  ...databaseEnv.properties,
  ...queueEnv.properties,
  ...storageEnv.properties,
  ...outboundEnv.properties,
  ...webhookEnv.properties,
  ...anonymousEnv.properties,
  ...auditEnv.properties,
})

export type SchedulerConfig = ReturnType<typeof readConfig>

/** Reads the scheduler's configuration, or throws with all errors. */
export function readConfig(source: Readonly<Record<string, string | undefined>>) {
  const values = readEnv(env, source)
  return {
    runtime: runtimeConfig(values),
    traces: tracesConfig(values),
    metrics: metricsConfig(values),
    uploadTimeoutMs: uploadTimeoutMs(values),
    unreferencedMs: values.UNREFERENCED_OBJECTS_S * 1000,
    anonymousIdleS: anonymousIdleS(values),
    auditMs: auditMs(values),
    database: databaseConfig(values),
    queue: queueConfig(values),
    storage: storageConfig(values),
    outbound: outboundConfig(values),
    webhooks: {
      ...webhookConfig(values),
      publicUrl: values.LATHE_PUBLIC_URL.replace(/\/$/, ''),
      atOnce: values.WEBHOOKS_AT_ONCE,
      perOwner: values.WEBHOOKS_PER_OWNER,
    },
  }
}
