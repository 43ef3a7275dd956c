import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

export type LimitedBy = 'key' | 'address'

/** What a request is told about its limit. */
export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetS: number
}

export interface RateLimiter {
  /** Counts one request. */
  take(by: LimitedBy, id: string): Promise<RateVerdict>
  /** Looks without counting. */
  look(by: LimitedBy, id: string): Promise<RateVerdict>
}

export interface RateLimiterParts {
  readonly redis: Redis
  readonly prefix: string
  readonly perKey: number
  readonly perAddress: number
}

const windowS = 60

/** Counts in Redis for all processes together; while Redis is away, each process counts for itself. */
export function createRateLimiter({ redis, prefix, perKey, perAddress }: RateLimiterParts): RateLimiter {
  const limits = { key: perKey, address: perAddress }
  const open = (by: LimitedBy) =>
    new RateLimiterRedis({
      storeClient: redis,
      rejectIfRedisNotReady: true,
      keyPrefix: `${prefix}:rate:${by}`,
      points: limits[by],
      duration: windowS,
      insuranceLimiter: new RateLimiterMemory({ points: limits[by], duration: windowS }),
    })
  const limiters = { key: open('key'), address: open('address') }

  function toVerdict(by: LimitedBy, result: RateLimiterRes | null, allowed: boolean): RateVerdict {
    const resetS = result ? Math.max(1, Math.ceil(result.msBeforeNext / 1000)) : windowS
    return { allowed, limit: limits[by], remaining: Math.max(0, result?.remainingPoints ?? limits[by]), resetS }
  }

  return {
    async take(by, id) {
      try {
        return toVerdict(by, await limiters[by].consume(id), true)
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return toVerdict(by, refused, false)
        throw refused
      }
    },
    async look(by, id) {
      const result = await limiters[by].get(id)
      return toVerdict(by, result, !result || result.consumedPoints < limits[by])
    },
  }
}
