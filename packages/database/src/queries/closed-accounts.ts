import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** Locks a user, so that it joins no team meanwhile; false if there is no such user. */
export async function lockUser(tx: Executor, userId: ObjectId): Promise<boolean> {
  const { rowCount } = await tx.query('select from users where id = $1 for update', [bytes(userId)])
  return rowCount === 1
}

/** The teams of which a user is the only owner. The caller has locked the teams. */
export async function listTeamsOwnedAlone(
  tx: Executor,
  userId: ObjectId,
): Promise<readonly { readonly id: ObjectId; readonly name: string }[]> {
  const { rows } = await tx.query<{ id: ObjectId; name: string }>(
    `select t.owner_id as id, t.name from memberships m join teams t on t.owner_id = m.owner_id
      where m.user_id = $1 and m.role = 'owner' and not exists (
        select from memberships a where a.owner_id = m.owner_id and a.role = 'owner' and a.user_id <> $1)
      order by t.name, t.owner_id`,
    [bytes(userId)],
  )
  return rows
}

/**
 * Closes the owner of an account and removes its keys, webhooks, presets and links. Its tasks and files are deleted
 * later, found by `findTasksOfClosed`. The caller has locked the owner.
 */
export async function closeOwner(tx: Executor, ownerId: ObjectId): Promise<void> {
  const id = bytes(ownerId)
  await tx.query('insert into closed_accounts (owner_id) values ($1)', [id])
  await tx.query(
    `update owners set suspended_at = now(), has_webhooks = false, link_generation = link_generation + 1 where id = $1`,
    [id],
  )
  await tx.query('delete from api_keys where owner_id = $1', [id])
  await tx.query('delete from webhooks where owner_id = $1', [id])
  await tx.query('delete from presets where owner_id = $1', [id])
  await tx.query('delete from job_tokens where owner_id = $1', [id])
  await tx.query('delete from host_keys where owner_id = $1', [id])
  await tx.query('delete from usage where owner_id = $1', [id])
}

/** Closes the account of a user, and removes its sessions, logins and memberships. The caller has locked the owner. */
export async function closeAccount(tx: Executor, userId: ObjectId): Promise<void> {
  await closeOwner(tx, userId)
  await tx.query('delete from presets where personal and user_id = $1', [bytes(userId)])
  // This also deletes logins, passkeys, second factors, identities, sessions and memberships.
  await tx.query('delete from users where id = $1', [bytes(userId)])
}

/** A job, or a task outside of jobs, of a closed account. */
export interface ClosedWork {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly isJob: boolean
}

/**
 * The remaining jobs and tasks of closed accounts, from the id of the oldest record on. Previews are deleted with their
 * files.
 */
export async function findTasksOfClosed(
  db: Executor,
  { after, limit }: { readonly after: ObjectId; readonly limit: number },
): Promise<readonly ClosedWork[]> {
  const { rows } = await db.query<ClosedWork>(
    `(select j.id, j.owner_id as "ownerId", true as "isJob" from closed_accounts c join jobs j on j.owner_id = c.owner_id
       where j.deleted_at is null and j.id > $1 order by j.id limit $2)
     union all
     (select t.id, t.owner_id, false from closed_accounts c join tasks t on t.owner_id = c.owner_id
       where t.job_id is null and t.status <> 'deleted' and t.preview_file is null and t.id > $1 order by t.id limit $2)
      order by id limit $2`,
    [bytes(after), limit],
  )
  return rows
}

/** Deletes the owners of accounts that were closed this long ago; an owner with open tasks stays. */
export async function deleteClosedAccounts(
  db: Executor,
  { closedS, limit }: { readonly closedS: number; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from owners where id in (
       select c.owner_id from closed_accounts c join owners o on o.id = c.owner_id
        where c.closed_at < now() - $1 * interval '1 second' and o.open_tasks = 0 limit $2)`,
    [closedS, limit],
  )
  return rowCount ?? 0
}
