/** Many durations in little memory, each accurate to 5%. */
export interface WaitTimes {
  add(ms: number): void
  readonly count: number
  /** The duration that this share of the values does not exceed. */
  quantile(share: number): number
  readonly longest: number
}

// Shorter waits count as none.
const leastMs = 1
const growth = Math.log(1.05)

export function createWaitTimes(): WaitTimes {
  const buckets = new Float64Array(512)
  let count = 0
  let longest = 0
  return {
    add(ms) {
      const bucket = ms < leastMs ? 0 : 1 + Math.floor(Math.log(ms / leastMs) / growth)
      const index = Math.min(bucket, buckets.length - 1)
      buckets[index] = (buckets[index] ?? 0) + 1
      count += 1
      longest = Math.max(longest, ms)
    },
    get count() {
      return count
    },
    get longest() {
      return longest
    },
    quantile(share) {
      let seen = 0
      for (const [index, size] of buckets.entries()) {
        seen += size
        if (seen >= share * count && size > 0)
          return index === 0 ? 0 : Math.min(longest, leastMs * Math.exp(growth * index))
      }
      return 0
    },
  }
}
