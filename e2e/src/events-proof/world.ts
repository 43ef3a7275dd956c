import type { AppProcess } from '@lathe/testing'
import type { Chance } from '../chance.ts'

/** What every listener knows: where the service may be, with which key, and what is done to it. */
export interface World {
  readonly key: string
  readonly chance: Chance
  /** One of the apis that are not known to be dead. */
  url(): string
  readonly counts: { listenerKills: number; apiKills: number; reconnects: number }
  /** When everything must have been told. */
  readonly deadline: number
}

/** The address of an api that runs, or of any while none does. */
export function pickUrl(apis: readonly AppProcess[], chance: Chance): string {
  const running = apis.filter(({ isRunning }) => isRunning)
  return chance.pick(running.length > 0 ? running : apis).url
}
