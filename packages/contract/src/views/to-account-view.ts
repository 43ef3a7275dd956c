import type { Account, ApiKey } from '../schemas/account-view.ts'
import { isScope } from '../scopes.ts'
import { toIso } from './to-iso.ts'

/** What a view needs to know of a key. */
export interface ApiKeyFacts {
  readonly id: string
  readonly name: string
  readonly last4: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
  readonly allowedIps: readonly string[] | null
  readonly revokedAt: Date | null
}

/** A key as it is shown: never its text. */
export function toApiKeyView({ id, name, last4, scopes, allowedIps, ...times }: ApiKeyFacts): ApiKey {
  return {
    id,
    name,
    last4,
    scopes: scopes.filter(isScope),
    createdAt: times.createdAt.toISOString(),
    lastUsedAt: toIso(times.lastUsedAt),
    expiresAt: toIso(times.expiresAt),
    allowedIps: allowedIps && [...allowedIps],
    revokedAt: toIso(times.revokedAt),
  }
}

/** What a view needs to know of an account. */
export interface AccountFacts {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly slots: number
  readonly minutesPerMonth: number | null
  readonly minutesPerTask: number | null
  readonly usedMs: number
  readonly openTasks: number
  readonly slotsUsed: number
  readonly backlog: number
  readonly storedBytes: number
}

const minuteMs = 60_000

/** An account as its holder sees it. */
export function toAccountView(account: AccountFacts, limits: Account['limits']): Account {
  const { id, name, slots, minutesPerMonth, minutesPerTask, usedMs } = account
  const left = minutesPerMonth === null ? null : Math.max(0, minutesPerMonth - usedMs / minuteMs)
  return {
    id,
    name,
    plan: { slots, minutesPerMonth, minutesPerTask },
    usage: {
      minutes: hundredths(usedMs / minuteMs),
      minutesLeft: left === null ? null : hundredths(left),
      openTasks: account.openTasks,
      runningTasks: account.slotsUsed,
      waitingTasks: account.backlog,
      storedBytes: account.storedBytes,
    },
    limits,
    createdAt: account.createdAt.toISOString(),
  }
}

const hundredths = (value: number) => Math.round(value * 100) / 100
