/** How much of everything a run has; each can be set by its name: `--videos=100`. */
export interface FairnessSizes {
  /** Long videos that one tenant has queued. */
  readonly videos: number
  /** Seconds each of them lasts. */
  readonly seconds: number
  /** Tenants that arrive one after the other, and quick tasks of each. */
  readonly tenants: number
  readonly tasks: number
  /** Conversions of which a 95th percentile is taken. */
  readonly samples: number
}

const full: FairnessSizes = { videos: 1000, seconds: 60, tenants: 200, tasks: 50, samples: 100 }
const quick: FairnessSizes = { videos: 20, seconds: 20, tenants: 20, tasks: 10, samples: 30 }

export function sizesOf(isQuick: boolean, given: Readonly<Record<string, number>>): FairnessSizes {
  return { ...(isQuick ? quick : full), ...given }
}
