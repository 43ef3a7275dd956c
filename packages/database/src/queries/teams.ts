import type { ObjectId, OwnerRole } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A team, as one of its members sees it. */
export interface TeamRecord {
  readonly id: ObjectId
  readonly name: string
  /** The member's role in it. */
  readonly role: OwnerRole
  readonly members: number
  readonly createdAt: Date
}

/** A member of a team. */
export interface MemberRecord {
  readonly userId: ObjectId
  readonly name: string
  /** Null for a user without a login. */
  readonly email: string | null
  readonly role: OwnerRole
  readonly createdAt: Date
}

/** A user in a team. */
export interface Place {
  readonly ownerId: ObjectId
  readonly userId: ObjectId
}

/** Adds a team, without members. */
export async function insertTeam(
  tx: Executor,
  { id, name, slots }: { readonly id: ObjectId; readonly name: string; readonly slots: number },
): Promise<void> {
  await tx.query('insert into owners (id, slots) values ($1, $2)', [bytes(id), slots])
  await tx.query('insert into teams (owner_id, name) values ($1, $2)', [bytes(id), name])
}

/** The teams of a user, by name. */
export async function listTeams(db: Executor, userId: ObjectId): Promise<readonly TeamRecord[]> {
  const { rows } = await db.query<TeamRecord>(
    `select t.owner_id as id, t.name, m.role, t.created_at as "createdAt",
            (select count(*)::int from memberships a where a.owner_id = t.owner_id) as members
       from memberships m join teams t on t.owner_id = m.owner_id
      where m.user_id = $1 order by t.name, t.owner_id`,
    [bytes(userId)],
  )
  return rows
}

/** How many teams a user owns. The caller has locked the user's own owner. */
export async function countOwnedTeams(tx: Executor, userId: ObjectId): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from memberships where user_id = $1 and role = 'owner'`,
    [bytes(userId)],
  )
  return rows[0]?.count ?? 0
}

export async function renameTeam(tx: Executor, { id, name }: { readonly id: ObjectId; readonly name: string }) {
  await tx.query('update teams set name = $2 where owner_id = $1', [bytes(id), name])
}

/** Adds a member; false if the user already is one. */
export async function insertMembership(
  tx: Executor,
  { ownerId, userId, role }: Place & { readonly role: OwnerRole },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'insert into memberships (owner_id, user_id, role) values ($1, $2, $3) on conflict do nothing',
    [bytes(ownerId), bytes(userId), role],
  )
  return rowCount === 1
}

/** The role of a user in a team, if any. */
export async function findMembership(db: Executor, { ownerId, userId }: Place): Promise<OwnerRole | undefined> {
  const { rows } = await db.query<{ role: OwnerRole }>(
    'select role from memberships where owner_id = $1 and user_id = $2',
    [bytes(ownerId), bytes(userId)],
  )
  return rows[0]?.role
}

/** The role of a user in a team, and whether its groups at the identity provider set it. */
export async function findManaged(
  tx: Executor,
  { ownerId, userId }: Place,
): Promise<{ readonly role: OwnerRole; readonly managed: boolean } | undefined> {
  const { rows } = await tx.query<{ role: OwnerRole; managed: boolean }>(
    'select role, managed from memberships where owner_id = $1 and user_id = $2',
    [bytes(ownerId), bytes(userId)],
  )
  return rows[0]
}

/** Gives a user the role that its groups define. */
export async function putManaged(
  tx: Executor,
  { ownerId, userId, role }: Place & { readonly role: OwnerRole },
): Promise<void> {
  await tx.query(
    `insert into memberships (owner_id, user_id, role, managed) values ($1, $2, $3, true)
     on conflict (owner_id, user_id) do update set role = excluded.role`,
    [bytes(ownerId), bytes(userId), role],
  )
}

/** Whether the team exists and was not deleted. */
export async function isOpenTeam(tx: Executor, ownerId: ObjectId): Promise<boolean> {
  const { rowCount } = await tx.query('select from teams where owner_id = $1 and deleted_at is null', [bytes(ownerId)])
  return rowCount === 1
}

/** Changes the role of a member; groups no longer manage it. */
export async function updateMembership(
  tx: Executor,
  { ownerId, userId, role }: Place & { readonly role: OwnerRole },
): Promise<void> {
  await tx.query('update memberships set role = $3, managed = false where owner_id = $1 and user_id = $2', [
    ...[bytes(ownerId), bytes(userId)],
    role,
  ])
}

export async function deleteMembership(tx: Executor, { ownerId, userId }: Place): Promise<void> {
  await tx.query('delete from memberships where owner_id = $1 and user_id = $2', [bytes(ownerId), bytes(userId)])
}

/** How many members a team has, and how many of them are owners. */
export async function countMembers(
  tx: Executor,
  ownerId: ObjectId,
): Promise<{ readonly members: number; readonly owners: number }> {
  const { rows } = await tx.query<{ members: number; owners: number }>(
    `select count(*)::int as members, (count(*) filter (where role = 'owner'))::int as owners
       from memberships where owner_id = $1`,
    [bytes(ownerId)],
  )
  return rows[0] ?? { members: 0, owners: 0 }
}

/** The members of a team, in the order they joined. */
export async function listMembers(db: Executor, ownerId: ObjectId): Promise<readonly MemberRecord[]> {
  const { rows } = await db.query<MemberRecord>(
    `select m.user_id as "userId", u.name, l.email, m.role, m.created_at as "createdAt"
       from memberships m join users u on u.id = m.user_id left join logins l on l.user_id = m.user_id
      where m.owner_id = $1 order by m.created_at, m.user_id`,
    [bytes(ownerId)],
  )
  return rows
}

/**
 * Revokes the keys that a user has created for a team, and with `links` invalidates the links and forms of the team;
 * returns how many keys.
 */
export async function revokeKeysOfMember(
  tx: Executor,
  { ownerId, userId, links }: Place & { readonly links: boolean },
): Promise<number> {
  const { rowCount } = await tx.query(
    'update api_keys set revoked_at = now() where owner_id = $1 and user_id = $2 and revoked_at is null',
    [bytes(ownerId), bytes(userId)],
  )
  if (links) await voidLinks(tx, ownerId)
  return rowCount ?? 0
}

const voidLinks = (tx: Executor, ownerId: ObjectId) =>
  tx.query('update owners set link_generation = link_generation + 1 where id = $1', [bytes(ownerId)])

/** Closes a team: ends its memberships, invitations, keys, webhooks and links. The caller has locked its owner. */
export async function closeTeam(tx: Executor, ownerId: ObjectId): Promise<void> {
  const id = bytes(ownerId)
  await tx.query('update teams set deleted_at = now() where owner_id = $1', [id])
  await tx.query('delete from memberships where owner_id = $1', [id])
  await tx.query('delete from invitations where owner_id = $1', [id])
  await tx.query('update api_keys set revoked_at = now() where owner_id = $1 and revoked_at is null', [id])
  await tx.query('delete from webhooks where owner_id = $1', [id])
  await tx.query('update owners set has_webhooks = false where id = $1', [id])
  await voidLinks(tx, ownerId)
}

/** Deletes teams that were closed this long ago, with all they own; a team with open tasks stays. */
export async function deleteClosedTeams(
  db: Executor,
  { closedS, limit }: { readonly closedS: number; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from owners where id in (
       select t.owner_id from teams t join owners o on o.id = t.owner_id
        where t.deleted_at < now() - $1 * interval '1 second' and o.open_tasks = 0 limit $2)`,
    [closedS, limit],
  )
  return rowCount ?? 0
}
