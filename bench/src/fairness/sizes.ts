/** The sizes of a run; each can be set by name: `--videos=100`. */
export interface FairnessSizes {
  /** Long videos that one tenant has queued. */
  readonly videos: number
  /** Duration of each video in seconds. */
  readonly seconds: number
  /** Tenants that arrive one after the other, and quick tasks of each. */
  readonly tenants: number
  readonly tasks: number
  /** Conversions that a 95th percentile is computed from. */
  readonly samples: number
}

const full: FairnessSizes = { videos: 1000, seconds: 60, tenants: 200, tasks: 50, samples: 100 }
const quick: FairnessSizes = { videos: 20, seconds: 20, tenants: 20, tasks: 10, samples: 30 }

export function sizesOf(isQuick: boolean, given: Readonly<Record<string, number>>): FairnessSizes {
  return { ...(isQuick ? quick : full), ...given }
}
