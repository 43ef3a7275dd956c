import { availableParallelism } from 'node:os'
import { type EngineFamily, engineFamilies, isEngineFamily } from '@lathe/domain'
import { sandboxEnv } from '@lathe/sandbox'
import { type Static, Type } from 'typebox'

const oneFamily = `(${engineFamilies.join('|')})`
const familiesPattern = `^${oneFamily}(,${oneFamily})*$`

/** The settings that worker and engine host share. */
export const enginesEnv = Type.Object({
  WORKER_FAMILIES: Type.String({
    default: engineFamilies.join(),
    pattern: familiesPattern,
    description:
      'Families of engines this worker serves, separated by commas: image, av (audio and video), office, pdf, browser (web pages, books, mail), ocr, route (conversions in several steps, which need all engines; served by a worker of all other families too). Those whose programs its engine root lacks are left out, and runners of other families start when they are first needed',
  }),
  WORKER_CONCURRENCY: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Number of engines that run at once. 0: one per core. Imports and exports have eight times as many slots',
  }),
  WORKER_WARM_CALLS: Type.Integer({
    minimum: 1,
    default: 200,
    description: 'Number of files after which a warm engine is restarted',
  }),
  WORKER_DRAIN_S: Type.Integer({
    minimum: 0,
    default: 25,
    description: 'Seconds that a stopping worker waits for its tasks before it requeues them',
  }),
})

/** All settings of an engine host. None of them is a secret. */
export const hostEnv = Type.Object({
  ...sandboxEnv.properties,
  ...enginesEnv.properties,
  ENGINE_HOST_SOCKET: Type.String({ pattern: '^/' }),
  ENGINE_HOST_GID: Type.Optional(Type.Integer({ minimum: 1 })),
  /** 1: it ends when its standard input is closed, and leaves signals to its parent. */
  ENGINE_HOST_CHILD: Type.Enum(['0', '1'], { default: '0' }),
})

/** How many engines run at once. */
export function engineTasksOf({ WORKER_CONCURRENCY }: Pick<Static<typeof enginesEnv>, 'WORKER_CONCURRENCY'>): number {
  return WORKER_CONCURRENCY || availableParallelism()
}

/** A worker of all families can run routes, whether or not the list names that family. */
export function familiesOf(list: string): readonly EngineFamily[] {
  const named = new Set(list.split(',').filter(isEngineFamily))
  const hasAll = engineFamilies.every((family) => family === 'route' || named.has(family))
  return [...(hasAll ? named.add('route') : named)]
}

export function runnersConfig(values: Static<typeof enginesEnv>) {
  return {
    families: familiesOf(values.WORKER_FAMILIES),
    engineTasks: engineTasksOf(values),
    warmCalls: values.WORKER_WARM_CALLS,
  }
}

/** The part of a worker's environment that an engine host gets: only the variables it reads. */
export function hostEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const named = Object.keys(hostEnv.properties).flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  return { ...Object.fromEntries(named), PATH: '/usr/bin:/bin' }
}
