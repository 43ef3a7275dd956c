import { type AuditAction, type AuditChannel, firstIdAt, type ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type Page, type Paging, readPage } from './page.ts'

/** Who did what to an account, when and from where. */
export interface AuditRecord {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  /** Null for the operator. */
  readonly userId: ObjectId | null
  readonly via: AuditChannel
  /** The session or key that was used. */
  readonly viaId: ObjectId | null
  readonly action: AuditAction
  /** The object of the action. */
  readonly subjectId: ObjectId | null
  readonly detail: Readonly<Record<string, unknown>>
  readonly address: string | null
  readonly createdAt: Date
}

/** Writes an entry, in the transaction of the action. */
export async function insertAudit(tx: Executor, entry: AuditRecord): Promise<void> {
  const { id, ownerId, userId, via, viaId, action, subjectId, detail, address, createdAt } = entry
  await tx.query(
    `insert into audit_log (id, owner_id, user_id, via, via_id, action, subject_id, detail, address, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[bytes(id), bytes(ownerId), orNull(userId), via, orNull(viaId), action],
      ...[orNull(subjectId), JSON.stringify(detail), address, createdAt],
    ],
  )
}

const orNull = (id: ObjectId | null) => (id === null ? null : bytes(id))

/** Which entries to list. */
export interface AuditFilter extends Paging {
  readonly ownerId: ObjectId
  readonly action?: AuditAction
  readonly userId?: ObjectId
  /** The time range: `from` inclusive, `to` exclusive. */
  readonly from?: Date
  readonly to?: Date
}

const columns = `id, owner_id as "ownerId", user_id as "userId", via, via_id as "viaId", action,
  subject_id as "subjectId", detail, address, created_at as "createdAt"`

/** A page of an owner's log, newest first. */
export async function listAudit(db: Executor, filter: AuditFilter): Promise<Page<AuditRecord>> {
  const { ownerId, action, userId, from, to } = filter
  const values: unknown[] = [bytes(ownerId)]
  const where = ['owner_id = $1']
  if (action !== undefined) where.push(`action = $${values.push(action)}`)
  if (userId !== undefined) where.push(`user_id = $${values.push(bytes(userId))}`)
  return readPage<AuditRecord>(db, {
    ...filter,
    ...{ table: 'audit_log', columns, key: 'id', where, values },
    // Ids contain the second of their creation.
    slices: [{ from: from ? firstIdAt(from) : '', to: to ? firstIdAt(to) : 'f'.repeat(24) }],
    countKey: JSON.stringify(['audit', ownerId, action, userId, from, to]),
  })
}

/** Deletes entries from before a time. */
export async function forgetAudit(
  db: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    'delete from audit_log where id in (select id from audit_log where id < $1 order by id limit $2)',
    [bytes(firstIdAt(before)), limit],
  )
  return rowCount ?? 0
}
