import type { AccountsConfig } from '@lathe/accounts'
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { HttpConfig } from './config.ts'
import { networkOf } from './http/client-address.ts'

/**
 * What is counted: requests by key or IP address; requests to forms and links by the owner of their task; new tasks by
 * their owner; failed sign-ins by account and IP address, and of an account in total; sign-ins of programs, and browsers without a sign-in, by IP
 * address.
 */
export type LimitedBy =
  | 'key'
  | 'address'
  | 'owner'
  | 'tasks'
  | 'signInAccount'
  | 'signInAccountTotal'
  | 'signInAddress'
  | 'deviceLogin'
  | 'anonymous'
  | 'anonymousSite'

/** The state of a limit after a request. */
export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetS: number
}

export interface RateLimiter {
  /** Counts one request, or several tasks. */
  take(by: LimitedBy, id: string, count?: number): Promise<RateVerdict>
  /** Returns the state without counting. */
  look(by: LimitedBy, id: string): Promise<RateVerdict>
  /** Removes one request from the count. */
  giveBack(by: LimitedBy, id: string): Promise<void>
}

export interface RateLimiterParts {
  readonly redis: Redis
  readonly prefix: string
  readonly http: Pick<HttpConfig, 'perKey' | 'perAddress' | 'transfersPerOwner' | 'tasksPerOwner'>
  readonly accounts: Pick<
    AccountsConfig,
    'signInsPerAccount' | 'signInsPerAddress' | 'deviceLoginsPerAddress' | 'anonymous'
  >
}

interface Limit {
  readonly points: number
  readonly windowS: number
}

const minuteS = 60
const signInS = 15 * minuteS
const hourS = 60 * minuteS
// One network must not be able to keep the user of an account out of all others.
const networksPerAccount = 10

const byNetwork: ReadonlySet<LimitedBy> = new Set(['address', 'signInAddress', 'deviceLogin', 'anonymous'])

/** Counts in Redis for all processes together; while Redis is unavailable, each process counts for itself. */
export function createRateLimiter({ redis, prefix, http, accounts }: RateLimiterParts): RateLimiter {
  const limits: Readonly<Record<LimitedBy, Limit>> = {
    key: { points: http.perKey, windowS: minuteS },
    address: { points: http.perAddress, windowS: minuteS },
    owner: { points: http.transfersPerOwner, windowS: minuteS },
    tasks: { points: http.tasksPerOwner, windowS: minuteS },
    signInAccount: { points: accounts.signInsPerAccount, windowS: signInS },
    signInAccountTotal: { points: accounts.signInsPerAccount * networksPerAccount, windowS: signInS },
    signInAddress: { points: accounts.signInsPerAddress, windowS: signInS },
    deviceLogin: { points: accounts.deviceLoginsPerAddress, windowS: signInS },
    anonymous: { points: accounts.anonymous.perHour, windowS: hourS },
    // A customer of a provider often has a whole /48, which is 65,536 networks of the size above.
    anonymousSite: { points: accounts.anonymous.perHour * 16, windowS: hourS },
  }
  function open(by: LimitedBy) {
    const { points, windowS: duration } = limits[by]
    return new RateLimiterRedis({
      storeClient: redis,
      rejectIfRedisNotReady: true,
      keyPrefix: `${prefix}:rate:${by}`,
      points,
      duration,
      // A client beyond its limit causes no Redis calls until the window is over.
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new RateLimiterMemory({ points, duration }),
    })
  }
  const limiters: Readonly<Record<LimitedBy, RateLimiterRedis>> = {
    key: open('key'),
    address: open('address'),
    owner: open('owner'),
    tasks: open('tasks'),
    signInAccount: open('signInAccount'),
    signInAccountTotal: open('signInAccountTotal'),
    signInAddress: open('signInAddress'),
    deviceLogin: open('deviceLogin'),
    anonymous: open('anonymous'),
    anonymousSite: open('anonymousSite'),
  }
  const countedAs = (by: LimitedBy, id: string) =>
    by === 'anonymousSite' ? networkOf(id, 48) : byNetwork.has(by) ? networkOf(id) : id

  function toVerdict(by: LimitedBy, result: RateLimiterRes | null, allowed: boolean): RateVerdict {
    const { points, windowS } = limits[by]
    const resetS = result ? Math.max(1, Math.ceil(result.msBeforeNext / 1000)) : windowS
    return { allowed, limit: points, remaining: Math.max(0, result?.remainingPoints ?? points), resetS }
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
      return toVerdict(by, result, !result || result.consumedPoints < limits[by].points)
    },
    giveBack: async (by, id) => void (await limiters[by].reward(countedAs(by, id))),
  }
}
