import type { ProxyLimits } from '../config.ts'

/** What one proxy may still let through. */
export interface Allowance {
  /** Counts one more request or tunnel; false: there may be no more. */
  takeRequest(): boolean
  /** Counts bytes of either direction; false: these are too many. */
  takeBytes(count: number): boolean
  readonly requests: number
  readonly bytes: number
  /** Which limit was met, if any. Once one is, nothing passes any more. */
  readonly spent: 'requests' | 'bytes' | undefined
}

/** Counts all traffic of one proxy together: many small answers cost as much as one large one. */
export function createAllowance(limits: Pick<ProxyLimits, 'requests' | 'bytes'>): Allowance {
  const used = { requests: 0, bytes: 0 }
  let spent: Allowance['spent']
  const take = (kind: 'requests' | 'bytes', count: number) => {
    if (spent === undefined && used[kind] + count > limits[kind]) spent = kind
    if (spent !== undefined) return false
    used[kind] += count
    return true
  }
  return {
    takeRequest: () => take('requests', 1),
    takeBytes: (count) => take('bytes', count),
    get requests() {
      return used.requests
    },
    get bytes() {
      return used.bytes
    },
    get spent() {
      return spent
    },
  }
}
