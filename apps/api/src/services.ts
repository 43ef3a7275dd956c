import type { Accounts, Audit, LinkMaker } from '@lathe/accounts'
import type { CheckAddress, PairRates } from '@lathe/contract'
import type { CountCache, Database, DisabledFormats } from '@lathe/database'
import type { IdMint } from '@lathe/domain'
import type { Orchestrator, OwnerLimits } from '@lathe/orchestrator'
import type { ProgressBoard } from '@lathe/queue'
import type { Clock, Logger, Metrics, Sealer, Traces } from '@lathe/runtime'
import type { ObjectStore } from '@lathe/storage'
import type { Auth } from './auth/auth.ts'
import type { HttpConfig } from './config.ts'
import type { Callers } from './job-tokens/caller.ts'
import type { JobTokens } from './job-tokens/job-tokens.ts'
import type { Listening } from './listening/listening.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { ReadinessCheck } from './readiness-check.ts'
import type { Waiters } from './waiters.ts'
import type { QueueLook } from './waiting/queue-look.ts'

/** All services of the api. Each route takes the part it needs. */
export interface Services {
  readonly http: HttpConfig
  readonly database: Database
  readonly orchestrator: Orchestrator
  /** Finds callers by an API key, a session token or a job token. */
  readonly accounts: Callers
  /** How users sign in; undefined with ACCOUNTS_MODE=none. */
  readonly auth: Auth | undefined
  /** Tokens of jobs. */
  readonly jobTokens: JobTokens
  /** Writes the audit log. */
  readonly audit: Audit
  /** Lets callers manage their own keys. */
  readonly keys: Pick<Accounts, 'changeOwnKey' | 'createOwnKey' | 'listKeys' | 'revokeKey'>
  /** The limits of one owner. */
  readonly ownerLimits: OwnerLimits
  readonly store: ObjectStore
  readonly links: LinkMaker
  /** Seals the secrets in a task's payload. */
  readonly sealer: Sealer
  /** Checks the URL of a webhook. */
  readonly checkAddress: CheckAddress
  readonly waiters: Waiters
  /** The connections that receive events from this process. */
  readonly listening: Listening
  readonly progress: Pick<ProgressBoard, 'read'>
  /** The queue positions of waiting tasks. */
  readonly queueLook: QueueLook
  /** The formats that administrators have disabled. */
  readonly disabledFormats: DisabledFormats
  /** The success rates of each pair of formats on this instance, at most a minute old. */
  readonly pairRates: () => Promise<PairRates>
  readonly limiter: RateLimiter
  /** Caches the totals of large lists. */
  readonly counts: CountCache
  readonly readiness: ReadinessCheck
  /** Aborted when this process is about to stop: it still accepts requests for a while, but should get no new ones. */
  readonly stopping: AbortController
  readonly ids: IdMint
  readonly clock: Clock
  readonly metrics: Metrics
  readonly traces: Traces
  readonly log: Logger
}
