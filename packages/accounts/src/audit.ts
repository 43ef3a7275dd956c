import { type Executor, insertAudit } from '@lathe/database'
import type { AuditAction, AuditChannel, IdMint, ObjectId } from '@lathe/domain'
import type { Clock } from '@lathe/runtime'

/** Who does something, and from where. */
export interface AuditActor {
  readonly ownerId: ObjectId
  /** Undefined for the operator. */
  readonly userId?: ObjectId
  readonly via: AuditChannel
  /** The session or key that is used. */
  readonly viaId?: ObjectId
  readonly address?: string
}

/** What is done. */
export interface NewAuditEntry {
  readonly action: AuditAction
  readonly subjectId?: ObjectId
  /** Additional details, never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Writes the audit log, in the transaction of the action: both are committed or neither. */
export type Audit = (tx: Executor, actor: AuditActor, entry: NewAuditEntry) => Promise<void>

export function createAudit({ ids, clock }: { readonly ids: IdMint; readonly clock: Clock }): Audit {
  return (
    tx,
    { ownerId, userId = null, via, viaId = null, address = null },
    { action, subjectId = null, detail = {} },
  ) => {
    const createdAt = clock.now()
    const id = ids.next(createdAt)
    return insertAudit(tx, { id, ownerId, userId, via, viaId, action, subjectId, detail, address, createdAt })
  }
}
