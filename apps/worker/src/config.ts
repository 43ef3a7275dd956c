import { totalmem } from 'node:os'
import { connectorsConfig, connectorsEnv } from '@lathe/connectors'
import { databaseConfig, databaseEnv } from '@lathe/database'
import { type EngineFamily, type EngineSlotsConfig, engineFamilies, isEngineFamily } from '@lathe/domain'
import { ownerEnv, ownerLimits } from '@lathe/orchestrator'
import { outboundConfig, outboundEnv } from '@lathe/outbound'
import { type Pool, queueConfig, queueEnv } from '@lathe/queue'
import { metricsConfig, metricsEnv, readEnv, runtimeConfig, runtimeEnv, tracesConfig, tracesEnv } from '@lathe/runtime'
import { sandboxConfig, sandboxEnv } from '@lathe/sandbox'
import { storageConfig, storageEnv } from '@lathe/storage'
import { type Static, Type } from 'typebox'
import { enginesEnv, engineTasksOf, hostEnvironment } from './engine-host/config.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

const oneFamily = `(${engineFamilies.join('|')})`
const familiesPattern = `^${oneFamily}(,${oneFamily})*$`

/** What the worker reads besides its packages' settings. */
export const workerEnv = Type.Object({
  ...enginesEnv.properties,
  WORKER_POOLS: Type.String({
    default: 'transfer,process',
    pattern: '^(transfer|process)(,(transfer|process))*$',
    description: 'Pools this worker serves, separated by commas: transfer moves bytes, process runs engines',
  }),
  WORKER_FAMILIES: Type.String({
    default: engineFamilies.join(),
    pattern: familiesPattern,
    description:
      'Families of engines this worker serves, separated by commas: image, av (audio and video), office, pdf, browser (web pages, books, mail), ocr, route (conversions in several steps, which need all engines; served by a worker of all other families too). Those whose programs its engine root lacks are left out',
  }),
  WORKER_QUICK_ENGINES: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Engines that tasks expected to take long never use, so that quick ones find one free; 0: a quarter of them, at least one if there are several',
  }),
  WORKER_MEMORY_MIB: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Memory for all engines together. Each reserves what its limit lets it use before it starts, and waits if too little is left; 0: four fifths of the memory this process may use',
  }),
  WORKER_SCRATCH_FREE_MIB: Type.Integer({
    minimum: 0,
    default: 512,
    description:
      'With less than this free on the file system of LATHE_SCRATCH_DIR, the worker starts no conversions and reports it on /readyz',
  }),
  LATHE_ENGINE_ROOT_MAX_DAYS: Type.Integer({
    minimum: 0,
    default: 35,
    description:
      'Age in days from which on the worker warns of its engine root, at start and every day: converters get security updates every month; 0: never',
  }),
  ENGINE_HOST: Type.Enum(['inside', 'own'], {
    default: 'inside',
    description:
      'Where engines are run from. inside: the worker itself; own: a process that it starts, without secrets and without a network, after which the worker gives up its own rights',
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
      'The uid of the engine host outside of its user namespace when the worker is started as root; nothing else may use it',
  }),
  WORKER_UID: Type.Integer({
    minimum: 1,
    maximum: 4_294_967_293,
    default: 64_323,
    description:
      'The uid and gid a worker drops to when it is started as root. With STORAGE_KIND=disk it becomes the owner of STORAGE_DIR instead',
  }),
  LATHE_MAX_FILE_BYTES: Type.Integer({ minimum: 1, default: 10 * GiB, description: 'Largest file taken in' }),
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
  /** The engines it serves. */
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
}

export type WorkerConfig = ReturnType<typeof readConfig>

/** Reads everything the worker needs to know, or throws with all faults. */
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
  }
}

/** Long tasks have to run somewhere: with a single engine they share it. */
function longMostOf(engineTasks: number, quickEngines: number): number {
  return Math.max(1, engineTasks - quickEngines)
}

// In a container the machine's memory is not all ours.
function memoryHere(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

/** A worker of all families can run routes, whether or not whoever listed them knew of that one. */
function familiesOf(list: string): readonly EngineFamily[] {
  const named = new Set(list.split(',').filter(isEngineFamily))
  const hasAll = engineFamilies.every((family) => family === 'route' || named.has(family))
  return [...(hasAll ? named.add('route') : named)]
}
