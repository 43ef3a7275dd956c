import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { networkOf } from './http/network-of.ts'

/** What is counted: requests by key or address, those to forms and links by the owner of their task, and new tasks by theirs. */
export type LimitedBy = 'key' | 'address' | 'owner' | 'tasks'

/** What a request is told about its limit. */
export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetS: number
}

export interface RateLimiter {
  /** Counts one request, or several tasks. */
  take(by: LimitedBy, id: string, count?: number): Promise<RateVerdict>
  /** Looks without counting. */
  look(by: LimitedBy, id: string): Promise<RateVerdict>
  /** Takes back one request that was counted. */
  giveBack(by: LimitedBy, id: string): Promise<void>
}

export interface RateLimiterParts {
  readonly redis: Redis
  readonly prefix: string
  readonly perKey: number
  readonly perAddress: number
  readonly transfersPerOwner: number
  readonly tasksPerOwner: number
}

const windowS = 60

/** Counts in Redis for all processes together; while Redis is away, each process counts for itself. */
export function createRateLimiter(parts: RateLimiterParts): RateLimiter {
  const { redis, prefix } = parts
  const limits = {
    key: parts.perKey,
    address: parts.perAddress,
    owner: parts.transfersPerOwner,
    tasks: parts.tasksPerOwner,
  }
  const open = (by: LimitedBy) =>
    new RateLimiterRedis({
      storeClient: redis,
      rejectIfRedisNotReady: true,
      keyPrefix: `${prefix}:rate:${by}`,
      points: limits[by],
      duration: windowS,
      // Whoever goes on past its limit costs Redis nothing until the window is over.
      inMemoryBlockOnConsumed: limits[by] + 1,
      insuranceLimiter: new RateLimiterMemory({ points: limits[by], duration: windowS }),
    })
  const limiters = { key: open('key'), address: open('address'), owner: open('owner'), tasks: open('tasks') }
  const countedAs = (by: LimitedBy, id: string) => (by === 'address' ? networkOf(id) : id)

  function toVerdict(by: LimitedBy, result: RateLimiterRes | null, allowed: boolean): RateVerdict {
    const resetS = result ? Math.max(1, Math.ceil(result.msBeforeNext / 1000)) : windowS
    return { allowed, limit: limits[by], remaining: Math.max(0, result?.remainingPoints ?? limits[by]), resetS }
  }

  return {
    async take(by, id, count = 1) {
      try {
        return toVerdict(by, await limiters[by].consume(countedAs(by, id), count), true)
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return toVerdict(by, refused, false)
        throw refused
      }
    },
    async look(by, id) {
      const result = await limiters[by].get(countedAs(by, id))
      return toVerdict(by, result, !result || result.consumedPoints < limits[by])
    },
    giveBack: async (by, id) => void (await limiters[by].reward(countedAs(by, id))),
  }
}
