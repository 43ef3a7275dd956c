import type { Accounts, Audit } from '@lathe/accounts'
import type { CheckAddress, PairRates } from '@lathe/contract'
import type { CountCache, Database, DisabledFormats } from '@lathe/database'
import type { IdMint } from '@lathe/domain'
import type { Orchestrator, OwnerLimits } from '@lathe/orchestrator'
import type { ProgressBoard } from '@lathe/queue'
import type { Clock, Logger, Metrics, Sealer, Traces } from '@lathe/runtime'
import type { LinkMaker, ObjectStore } from '@lathe/storage'
import type { Auth } from './auth/auth.ts'
import type { HttpConfig } from './config.ts'
import type { Callers } from './job-tokens/caller.ts'
import type { JobTokens } from './job-tokens/job-tokens.ts'
import type { Listening } from './listening/listening.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { ReadinessCheck } from './readiness-check.ts'
import type { Waiters } from './waiters.ts'
import type { QueueLook } from './waiting/queue-look.ts'

/** Everything a route may be handed. Each takes the part it needs. */
export interface Services {
  readonly http: HttpConfig
  readonly database: Database
  readonly orchestrator: Orchestrator
  /** Who calls, by an API key, the token of a session or the token of a job. */
  readonly accounts: Callers
  /** How people sign in; none with ACCOUNTS_MODE=none. */
  readonly auth: Auth | undefined
  /** Tokens of jobs. */
  readonly jobTokens: JobTokens
  /** Writes the audit log. */
  readonly audit: Audit
  /** The keys of callers themselves. */
  readonly keys: Pick<Accounts, 'createOwnKey' | 'listKeys' | 'revokeKey'>
  /** How much one owner may have. */
  readonly ownerLimits: OwnerLimits
  readonly store: ObjectStore
  readonly links: LinkMaker
  /** Seals what a task's payload hides. */
  readonly sealer: Sealer
  /** Says what is wrong with the address of a webhook. */
  readonly checkAddress: CheckAddress
  readonly waiters: Waiters
  /** Who is told events by this process. */
  readonly listening: Listening
  readonly progress: Pick<ProgressBoard, 'read'>
  /** Where waiting tasks stand. */
  readonly queueLook: QueueLook
  /** What administrators have switched off. */
  readonly disabledFormats: DisabledFormats
  /** How tasks of each pair of formats ended on this instance: a minute old at most. */
  readonly pairRates: () => Promise<PairRates>
  readonly limiter: RateLimiter
  /** Remembers how long large lists are. */
  readonly counts: CountCache
  readonly readiness: ReadinessCheck
  /** Aborted when this process is about to stop: it takes requests for a while, but should be sent none. */
  readonly stopping: AbortController
  readonly ids: IdMint
  readonly clock: Clock
  readonly metrics: Metrics
  readonly traces: Traces
  readonly log: Logger
}
