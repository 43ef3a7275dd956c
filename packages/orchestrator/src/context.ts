import type { Database } from '@lathe/database'
import type { IdMint, ObjectId } from '@lathe/domain'
import type { Dispatch } from '@lathe/queue'
import type { Clock, Logger, Metrics } from '@lathe/runtime'

/** What every use case needs. */
export interface Context {
  readonly database: Database
  readonly dispatch: Dispatch
  readonly ids: IdMint
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** The limits of one owner. Default: no limits. */
  readonly limits?: Partial<OwnerLimits>
}

export interface OwnerLimits {
  readonly openTasksPerOwner: number
  /** Tasks of later requests that wait for one open task. */
  readonly dependantsPerTask: number
  /** 0: no limit. */
  readonly storedBytesPerOwner: number
}

/** The caller: the owner of the work, and the user who acts for it. */
export interface Caller {
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  /** The trace of the request, if one is recorded. */
  readonly traceParent?: string | null
  /** The generation in links and forms of the owner; 0 unless one of its keys was revoked. */
  readonly linkGeneration?: number
}
