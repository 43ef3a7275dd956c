import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** Marks an owner as belonging to one browser only. */
export async function insertAnonymousOwner(tx: Executor, ownerId: ObjectId): Promise<void> {
  await tx.query('insert into anonymous_owners (owner_id) values ($1)', [bytes(ownerId)])
}

/**
 * Deletes anonymous owners that were not used for this long, with all they own and their users. The time must be longer
 * than records are kept, so that their tasks are gone; an owner that still has open ones stays. They are counted here:
 * a counter that is wrong must not keep an owner for ever.
 */
export async function deleteIdleAnonymous(
  db: Executor,
  { idleS, limit }: { readonly idleS: number; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `with idle as (
       select a.owner_id as id from anonymous_owners a
        where a.created_at < now() - $1 * interval '1 second'
          and not exists (select from tasks t where t.owner_id = a.owner_id and t.status in ('created', 'processing'))
          and not exists (select from sessions s where s.user_id = a.owner_id
                             and s.last_used_at > now() - $1 * interval '1 second')
        order by a.created_at limit $2),
     users_gone as (delete from users where id in (select id from idle))
     delete from owners where id in (select id from idle)`,
    [idleS, limit],
  )
  return rowCount ?? 0
}
