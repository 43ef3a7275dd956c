import { availableParallelism } from 'node:os'
import { sandboxEnv } from '@lathe/sandbox'
import { type Static, Type } from 'typebox'

/** What worker and engine host are both told. */
export const enginesEnv = Type.Object({
  WORKER_CONCURRENCY: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Engines running at once; 0: one per core. A task is claimed when an engine is free for it. Eight times as many tasks import and export',
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
})

/** Everything an engine host reads. None of it is a secret. */
export const hostEnv = Type.Object({
  ...sandboxEnv.properties,
  ...enginesEnv.properties,
  ENGINE_HOST_SOCKET: Type.String({ pattern: '^/' }),
  ENGINE_HOST_GID: Type.Optional(Type.Integer({ minimum: 1 })),
  /** 1: it ends when its standard input does, and leaves signals to its parent. */
  ENGINE_HOST_CHILD: Type.Enum(['0', '1'], { default: '0' }),
})

/** How many engines run at once. */
export function engineTasksOf({ WORKER_CONCURRENCY }: Pick<Static<typeof enginesEnv>, 'WORKER_CONCURRENCY'>): number {
  return WORKER_CONCURRENCY || availableParallelism()
}

export function runnersConfig(values: Static<typeof enginesEnv>) {
  return { engineTasks: engineTasksOf(values), warmCalls: values.WORKER_WARM_CALLS }
}

/** What an engine host gets of a worker's environment: the variables it reads, and nothing else. */
export function hostEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const named = Object.keys(hostEnv.properties).flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  return { ...Object.fromEntries(named), PATH: '/usr/bin:/bin' }
}
