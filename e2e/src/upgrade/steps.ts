import type { AppName } from '@lathe/testing'
import type { PhaseKind } from './book.ts'
import type { FleetOptions, Version } from './fleet.ts'

/** One phase of a rehearsal: processes are replaced, or nothing changes for a while. */
export interface Step {
  readonly name: string
  readonly kind: PhaseKind
  readonly roll?: { readonly apps: readonly AppName[]; readonly to: Version }
  readonly holdMs: number
}

export type Plan = Pick<FleetOptions, 'versions' | 'counts'> & { readonly steps: readonly Step[] }

/**
 * Every process goes from old to new and back, one after another. In between, the service stays in each of the four
 * combinations of apis and the rest for a while.
 */
export function planSteps({ isQuick, holdS }: { readonly isQuick: boolean; readonly holdS: number }): Plan {
  const hold = (api: Version, rest: Version): Step => ({
    name: api === rest ? `all ${api}` : `${api} apis, ${rest} workers and schedulers`,
    kind: api === rest ? 'solo' : 'mixed',
    holdMs: holdS * 1000,
  })
  const roll = (apps: readonly AppName[], to: Version): Step => ({
    name: `rolling ${apps.join('s and ')}s to ${to}`,
    kind: 'mixed',
    roll: { apps, to },
    holdMs: 0,
  })
  if (isQuick) {
    return {
      versions: { api: 'old', worker: 'new', scheduler: 'new' },
      counts: { api: 1, worker: 1, scheduler: 1 },
      steps: [hold('old', 'new'), roll(['api'], 'new'), hold('new', 'new')],
    }
  }
  return {
    versions: { api: 'old', worker: 'old', scheduler: 'old' },
    counts: { api: 2, worker: 2, scheduler: 2 },
    // Workers are the first to become new and the last to become old again (docs/upgrades.md).
    steps: [
      hold('old', 'old'),
      roll(['worker', 'scheduler'], 'new'),
      hold('old', 'new'),
      roll(['api'], 'new'),
      hold('new', 'new'),
      roll(['scheduler', 'worker'], 'old'),
      hold('new', 'old'),
      roll(['api'], 'old'),
      hold('old', 'old'),
    ],
  }
}
