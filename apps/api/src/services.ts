import type { Accounts } from '@lathe/accounts'
import type { CheckAddress } from '@lathe/contract'
import type { CountCache, Database } from '@lathe/database'
import type { IdMint } from '@lathe/domain'
import type { Orchestrator } from '@lathe/orchestrator'
import type { ProgressBoard } from '@lathe/queue'
import type { Clock, Logger, Metrics, Sealer, Traces } from '@lathe/runtime'
import type { LinkMaker, ObjectStore } from '@lathe/storage'
import type { HttpConfig } from './config.ts'
import type { Listening } from './listening/listening.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { ReadinessCheck } from './readiness-check.ts'
import type { Waiters } from './waiters.ts'

/** Everything a route may be handed. Each takes the part it needs. */
export interface Services {
  readonly http: HttpConfig
  readonly database: Database
  readonly orchestrator: Orchestrator
  readonly accounts: Pick<Accounts, 'findCaller'>
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
