import type { ProxyLimits } from '../config.ts'

/** The remaining traffic of one proxy. */
export interface Allowance {
  /** Counts one more request or tunnel. Returns false if the limit is reached. */
  takeRequest(): boolean
  /** Counts bytes of either direction. Returns false if they exceed the limit. */
  takeBytes(count: number): boolean
  readonly requests: number
  readonly bytes: number
  /** The limit that was reached, if any. Once set, nothing passes anymore. */
  readonly spent: 'requests' | 'bytes' | undefined
}

/** Counts all traffic of one proxy together: many small responses cost as much as one large response. */
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
