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
  /** How much one owner may have; without them there is no limit. */
  readonly limits?: Partial<OwnerLimits>
}

export interface OwnerLimits {
  readonly openTasksPerOwner: number
  /** 0: no limit. */
  readonly storedBytesPerOwner: number
}

/** Who asks: the owner of the work, and the user who speaks for it. */
export interface Caller {
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  /** The trace of the request, if one is recorded. */
  readonly traceParent?: string | null
  /** What links and forms of the owner carry; 0 unless a key of it was revoked. */
  readonly linkGeneration?: number
}
