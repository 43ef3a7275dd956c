import type { ObjectId, OwnerRole } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A link for joining a team. */
export interface InvitationRecord {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly team: string
  readonly role: OwnerRole
  /** The recipient; null for a link that is shared by hand. */
  readonly email: string | null
  readonly invitedBy: ObjectId
  /** The name of the inviting user. */
  readonly inviter: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** An invitation that was found by one of its links. */
export interface FoundInvitation extends InvitationRecord {
  /** Whether the link was only mailed: a user who has it receives mail at the address. */
  readonly provesEmail: boolean
  /** Whether the inviter is an administrator of the instance. */
  readonly isByAdmin: boolean
}

export interface NewInvitation {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly role: OwnerRole
  readonly hash: string
  /** The hash of the link that is only mailed. */
  readonly mailedHash: string | null
  readonly email: string | null
  readonly invitedBy: ObjectId
  readonly lastsS: number
}

const columns = `i.id, i.owner_id as "ownerId", t.name as team, i.role, i.email, i.invited_by as "invitedBy",
  coalesce(u.name, '') as inviter, i.created_at as "createdAt", i.expires_at as "expiresAt"`
const tables = 'invitations i join teams t on t.owner_id = i.owner_id left join users u on u.id = i.invited_by'

/** Stores an invitation. */
export async function insertInvitation(tx: Executor, invitation: NewInvitation): Promise<void> {
  const { id, ownerId, role, hash, mailedHash, email, invitedBy, lastsS } = invitation
  await tx.query(
    `insert into invitations (id, owner_id, role, hash, email, invited_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')`,
    [bytes(id), bytes(ownerId), role, bytes(hash), email, bytes(invitedBy), lastsS],
  )
  if (mailedHash === null) return
  await tx.query('insert into mailed_links (hash, invitation_id) values ($1, $2)', [bytes(mailedHash), bytes(id)])
}

/** The valid invitations of a team, newest first. */
export async function listInvitations(db: Executor, ownerId: ObjectId): Promise<readonly InvitationRecord[]> {
  const { rows } = await db.query<InvitationRecord>(
    `select ${columns} from ${tables} where i.owner_id = $1 and i.expires_at > now() order by i.id desc`,
    [bytes(ownerId)],
  )
  return rows
}

/** The invitation of a link, if it is valid. */
export async function findInvitation(db: Executor, hash: string): Promise<FoundInvitation | undefined> {
  const { rows } = await db.query<FoundInvitation>(
    `select ${columns}, i.hash <> $1 as "provesEmail",
            exists (select from logins l where l.user_id = i.invited_by and l.is_admin) as "isByAdmin"
       from ${tables}
      where (i.hash = $1 or i.id = (select m.invitation_id from mailed_links m where m.hash = $1))
        and i.expires_at > now()`,
    [bytes(hash)],
  )
  return rows[0]
}

/** Consumes a valid invitation; false if it was already used or revoked. */
export async function takeInvitation(tx: Executor, id: ObjectId): Promise<boolean> {
  const { rowCount } = await tx.query('delete from invitations where id = $1 and expires_at > now()', [bytes(id)])
  return rowCount === 1
}

/** Revokes an invitation of a team; false if the team has no such invitation. */
export async function deleteInvitation(
  tx: Executor,
  { id, ownerId }: { readonly id: ObjectId; readonly ownerId: ObjectId },
): Promise<boolean> {
  const { rowCount } = await tx.query('delete from invitations where id = $1 and owner_id = $2', [
    bytes(id),
    bytes(ownerId),
  ])
  return rowCount === 1
}

/** Revokes a user's invitations to a team. */
export async function deleteInvitationsBy(
  tx: Executor,
  { ownerId, userId }: { readonly ownerId: ObjectId; readonly userId: ObjectId },
): Promise<void> {
  await tx.query('delete from invitations where owner_id = $1 and invited_by = $2', [bytes(ownerId), bytes(userId)])
}

/** Deletes invitations that have expired. */
export async function forgetInvitations(db: Executor, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'delete from invitations where id in (select id from invitations where expires_at <= now() limit $1)',
    [limit],
  )
  return rowCount ?? 0
}
