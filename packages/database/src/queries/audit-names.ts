import type { ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** The name of a user, a team or an API key in the audit log. */
export interface AuditName {
  readonly id: ObjectId
  readonly kind: 'person' | 'team' | 'key'
  readonly name: string
  /** The email address of the owner itself and of members of the team; null for others, such as administrators. */
  readonly email: string | null
}

/** The names of users, teams and keys in an owner's log, in the order of their ids; those that are gone are left out. */
export async function findAuditNames(
  db: Executor,
  { ownerId, ids }: { readonly ownerId: ObjectId; readonly ids: readonly ObjectId[] },
): Promise<readonly AuditName[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<AuditName>(
    `select u.id, 'person' as kind, u.name, case when u.id = $1 or m.user_id is not null then l.email end as email
       from users u left join logins l on l.user_id = u.id
            left join memberships m on m.owner_id = $1 and m.user_id = u.id
      where u.id = any($2::bytea[])
     union all
     select owner_id, 'team', name, null from teams where owner_id = any($2::bytea[])
     union all
     select id, 'key', name, null from api_keys where owner_id = $1 and id = any($2::bytea[])
     order by id`,
    [bytes(ownerId), manyBytes(ids)],
  )
  return rows
}
