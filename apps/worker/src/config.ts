import { totalmem } from 'node:os'
import { connectorsConfig, connectorsEnv } from '@lathe/connectors'
import { databaseConfig, databaseEnv } from '@lathe/database'
import type { EngineFamily, EngineSlotsConfig } from '@lathe/domain'
import { ownerEnv, ownerLimits } from '@lathe/orchestrator'
import { outboundConfig, outboundEnv } from '@lathe/outbound'
import { type Pool, queueConfig, queueEnv } from '@lathe/queue'
import { metricsConfig, metricsEnv, readEnv, runtimeConfig, runtimeEnv, tracesConfig, tracesEnv } from '@lathe/runtime'
import { sandboxConfig, sandboxEnv } from '@lathe/sandbox'
import { storageConfig, storageEnv } from '@lathe/storage'
import { type Static, Type } from 'typebox'
import { enginesEnv, engineTasksOf, familiesOf, hostEnvironment } from './engine-host/config.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** The worker's own settings, in addition to those of its packages. */
export const workerEnv = Type.Object({
  ...enginesEnv.properties,
  WORKER_POOLS: Type.String({
    default: 'transfer,process',
    pattern: '^(transfer|process)(,(transfer|process))*$',
    description:
      'Kinds of tasks that this worker runs, separated by commas: transfer (imports and exports), process (conversions)',
  }),
  WORKER_QUICK_ENGINES: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Number of engines reserved for tasks that are expected to be quick. 0: a quarter of all engines, at least one if there are several',
  }),
  WORKER_MEMORY_MIB: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Memory for all engines together, in MiB. Each engine reserves its limit before it starts, and waits if too little is left. 0: four fifths of the memory available to this process',
  }),
  WORKER_SCRATCH_FREE_MIB: Type.Integer({
    minimum: 0,
    default: 512,
    description:
      'Minimum free space on the file system of LATHE_SCRATCH_DIR, in MiB. Below it, the worker starts no conversions and reports it on /readyz',
  }),
  LATHE_ENGINE_ROOT_MAX_DAYS: Type.Integer({
    minimum: 0,
    default: 35,
    description:
      'Age of the engine root in days after which the worker logs a warning, at start and every day. Converters get security updates every month. 0: never',
  }),
  LATHE_ENGINE_ROOT_REPORT: Type.String({
    default: '',
    pattern: '^$|^/',
    description:
      'File with the known vulnerabilities of the engine root, as scripts/engine-vulnerabilities.ts --report writes it. Set it for images, whose roots are read-only. Empty: the file next to the root',
  }),
  ENGINE_HOST: Type.Enum(['inside', 'own'], {
    default: 'inside',
    description:
      'Which process runs engines. inside: the worker itself. own: a separate process without secrets and network; the worker then drops its privileges',
  }),
  ENGINE_HOST_SOCKET: Type.Optional(
    Type.String({
      pattern: '^/',
      description:
        'Socket file of an engine host (`node apps/worker/src/engine-host/main.ts`, given the same path), for containers: the worker then runs no engines itself and starts no host',
    }),
  ),
  ENGINE_HOST_UID: Type.Integer({
    minimum: 1,
    maximum: 4_294_967_293,
    default: 64_322,
    description:
      'uid of the engine host outside its user namespace when the worker is started as root. Nothing else may use it',
  }),
  WORKER_UID: Type.Integer({
    minimum: 1,
    maximum: 4_294_967_293,
    default: 64_323,
    description:
      'uid and gid that a worker switches to when it is started as root. With STORAGE_KIND=disk it becomes the owner of STORAGE_DIR instead',
  }),
  LATHE_MAX_FILE_BYTES: Type.Integer({
    minimum: 1,
    default: 10 * GiB,
    description: 'Maximum size of an imported or uploaded file, in bytes',
  }),
})

const env = Type.Object({
  ...runtimeEnv.properties,
  ...tracesEnv.properties,
  ...metricsEnv.properties,
  ...workerEnv.properties,
  ...databaseEnv.properties,
  ...queueEnv.properties,
  ...storageEnv.properties,
  ...outboundEnv.properties,
  ...connectorsEnv.properties,
  ...sandboxEnv.properties,
  ...ownerEnv.properties,
})

export interface WorkConfig {
  readonly pools: readonly Pool[]
  /** The engine families it serves. */
  readonly families: readonly EngineFamily[]
  readonly engineTasks: number
  readonly engineSlots: EngineSlotsConfig
  readonly transferTasks: number
  readonly warmCalls: number
  /** Memory for all engines together. */
  readonly memoryBytes: number
  readonly scratchFreeBytes: number
  readonly drainMs: number
  readonly maxFileBytes: number
  readonly engineRootMaxDays: number
  /** The report of vulnerabilities; undefined: next to the root. */
  readonly engineRootReport: string | undefined
}

export type WorkerConfig = ReturnType<typeof readConfig>

/** Reads all settings of the worker, or throws with all faults. */
export function readConfig(source: Readonly<Record<string, string | undefined>>) {
  const values = readEnv(env, source)
  return {
    runtime: runtimeConfig(values),
    traces: tracesConfig(values),
    metrics: metricsConfig(values),
    work: workConfig(values),
    database: databaseConfig(values),
    queue: queueConfig(values),
    storage: storageConfig(values),
    outbound: outboundConfig(values),
    connectors: connectorsConfig(values),
    sandbox: sandboxConfig(values),
    limits: ownerLimits(values),
    engineHost: {
      kind: values.ENGINE_HOST,
      socket: values.ENGINE_HOST_SOCKET,
      uid: values.ENGINE_HOST_UID,
      workerUid: values.WORKER_UID,
      env: hostEnvironment(source),
    },
  }
}

function workConfig(values: Static<typeof workerEnv>): WorkConfig {
  const engineTasks = engineTasksOf(values)
  const quickEngines = values.WORKER_QUICK_ENGINES || Math.ceil(engineTasks / 4)
  return {
    pools: [...new Set(values.WORKER_POOLS.split(',') as Pool[])],
    families: familiesOf(values.WORKER_FAMILIES),
    engineTasks,
    engineSlots: { engines: engineTasks, longMost: longMostOf(engineTasks, quickEngines), most: engineTasks * 4 },
    transferTasks: engineTasks * 8,
    warmCalls: values.WORKER_WARM_CALLS,
    memoryBytes: values.WORKER_MEMORY_MIB * MiB || 0.8 * memoryHere(),
    scratchFreeBytes: values.WORKER_SCRATCH_FREE_MIB * MiB,
    drainMs: values.WORKER_DRAIN_S * 1000,
    maxFileBytes: values.LATHE_MAX_FILE_BYTES,
    engineRootMaxDays: values.LATHE_ENGINE_ROOT_MAX_DAYS,
    engineRootReport: values.LATHE_ENGINE_ROOT_REPORT || undefined,
  }
}

/** Long tasks need at least one engine: with a single engine they share it. */
function longMostOf(engineTasks: number, quickEngines: number): number {
  return Math.max(1, engineTasks - quickEngines)
}

// In a container only part of the machine's memory is available.
function memoryHere(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
