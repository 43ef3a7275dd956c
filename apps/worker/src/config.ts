import { availableParallelism } from 'node:os'
import { connectorsConfig, connectorsEnv } from '@lathe/connectors'
import { databaseConfig, databaseEnv } from '@lathe/database'
import { outboundConfig, outboundEnv } from '@lathe/outbound'
import { type Pool, queueConfig, queueEnv } from '@lathe/queue'
import { metricsConfig, metricsEnv, readEnv, runtimeConfig, runtimeEnv } from '@lathe/runtime'
import { sandboxConfig, sandboxEnv } from '@lathe/sandbox'
import { storageConfig, storageEnv } from '@lathe/storage'
import { type Static, Type } from 'typebox'

const GiB = 1024 ** 3

/** What the worker reads besides its packages' settings. */
export const workerEnv = Type.Object({
  WORKER_POOLS: Type.String({
    default: 'transfer,process',
    pattern: '^(transfer|process)(,(transfer|process))*$',
    description: 'Pools this worker serves, separated by commas: transfer moves bytes, process runs engines',
  }),
  WORKER_CONCURRENCY: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Engines running at once; 0: one per core. As many tasks again fetch or store meanwhile; eight times as many import',
  }),
  WORKER_WARM_CALLS: Type.Integer({
    minimum: 1,
    default: 200,
    description: 'Files after which a warm engine instance is replaced by a fresh one',
  }),
  WORKER_DRAIN_S: Type.Integer({
    minimum: 0,
    default: 25,
    description: 'Seconds a stopping worker lets its tasks finish before it gives them back',
  }),
  LATHE_MAX_FILE_BYTES: Type.Integer({ minimum: 1, default: 10 * GiB, description: 'Largest file taken in' }),
})

const env = Type.Object({
  ...runtimeEnv.properties,
  ...metricsEnv.properties,
  ...workerEnv.properties,
  ...databaseEnv.properties,
  ...queueEnv.properties,
  ...storageEnv.properties,
  ...outboundEnv.properties,
  ...connectorsEnv.properties,
  ...sandboxEnv.properties,
})

export interface WorkConfig {
  readonly pools: readonly Pool[]
  readonly engineTasks: number
  /** Tasks of engines in hand: some fetch and store while others' engines run. */
  readonly processTasks: number
  readonly transferTasks: number
  readonly warmCalls: number
  readonly drainMs: number
  readonly maxFileBytes: number
}

export type WorkerConfig = ReturnType<typeof readConfig>

/** Reads everything the worker needs to know, or throws with all faults. */
export function readConfig(source: Readonly<Record<string, string | undefined>>) {
  const values = readEnv(env, source)
  return {
    runtime: runtimeConfig(values),
    metrics: metricsConfig(values),
    work: workConfig(values),
    database: databaseConfig(values),
    queue: queueConfig(values),
    storage: storageConfig(values),
    outbound: outboundConfig(values),
    connectors: connectorsConfig(values),
    sandbox: sandboxConfig(values),
  }
}

function workConfig(values: Static<typeof workerEnv>): WorkConfig {
  const engineTasks = values.WORKER_CONCURRENCY || availableParallelism()
  return {
    pools: [...new Set(values.WORKER_POOLS.split(',') as Pool[])],
    engineTasks,
    processTasks: engineTasks * 2,
    transferTasks: engineTasks * 8,
    warmCalls: values.WORKER_WARM_CALLS,
    drainMs: values.WORKER_DRAIN_S * 1000,
    maxFileBytes: values.LATHE_MAX_FILE_BYTES,
  }
}
