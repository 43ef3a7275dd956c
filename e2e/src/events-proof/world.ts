import type { AppProcess } from '@lathe/testing'
import type { Chance } from '../chance.ts'

/** What every listener knows: the URLs of the service, the key, and the disturbances. */
export interface World {
  readonly key: string
  readonly chance: Chance
  /** The URL of an api that is not known to be down. */
  url(): string
  readonly counts: { listenerKills: number; apiKills: number; reconnects: number }
  /** When every event must have arrived. */
  readonly deadline: number
}

/** The URL of a running api, or of any if none is running. */
export function pickUrl(apis: readonly AppProcess[], chance: Chance): string {
  const running = apis.filter(({ isRunning }) => isRunning)
  return chance.pick(running.length > 0 ? running : apis).url
}
