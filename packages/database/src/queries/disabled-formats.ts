import type { DisabledFormat, ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A disabled format, with who disabled it and when, as administrators see it. */
export interface DisabledFormatRecord extends DisabledFormat {
  /** Null if that user no longer exists. */
  readonly disabledBy: string | null
  readonly disabledAt: Date
}

/** All disabled formats, the oldest first. */
export async function listDisabledFormats(db: Executor): Promise<readonly DisabledFormatRecord[]> {
  const { rows } = await db.query<DisabledFormatRecord>(
    `select f.id, f.input, f.output, f.reason, u.name as "disabledBy", f.disabled_at as "disabledAt"
       from disabled_formats f left join users u on u.id = f.disabled_by
      order by f.id`,
  )
  return rows
}

/** Disables a format. False: it is already disabled. */
export async function insertDisabledFormat(
  tx: Executor,
  { id, input, output, reason, userId }: DisabledFormat & { readonly userId: ObjectId },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into disabled_formats (id, input, output, reason, disabled_by) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [bytes(id), input, output, reason, bytes(userId)],
  )
  return rowCount === 1
}

/** Enables a format again, and returns what it was. Undefined: there is no such row. */
export async function deleteDisabledFormat(
  tx: Executor,
  id: ObjectId,
): Promise<Pick<DisabledFormat, 'input' | 'output'> | undefined> {
  const { rows } = await tx.query<Pick<DisabledFormat, 'input' | 'output'>>(
    'delete from disabled_formats where id = $1 returning input, output',
    [bytes(id)],
  )
  return rows[0]
}
