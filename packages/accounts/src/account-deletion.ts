import {
  closeAccount,
  countAdmins,
  deleteInvitationsBy,
  type Executor,
  type LoginRecord,
  listTeams,
  listTeamsOwnedAlone,
  lockLogins,
  lockOwner,
  lockUser,
  revokeKeysOfMember,
  type TeamRecord,
} from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { Audit, AuditActor } from './audit.ts'

/**
 * Deletes a person permanently, in a transaction; throws a Problem if a team, or the instance, would have no one left
 * to manage it. After the commit the account can no longer be used; its tasks and files are deleted later.
 */
export type DeleteAccount = (
  tx: Executor,
  person: Pick<LoginRecord, 'userId' | 'isAdmin'>,
  actor: AuditActor,
) => Promise<void>

export function createAccountDeletion({ audit }: { readonly audit: Audit }): DeleteAccount {
  return async (tx, { userId, isAdmin }, actor) => {
    // Serializes two administrators, or two owners of a team, who delete themselves.
    await lockLogins(tx)
    const teams = await holdAll(tx, userId)
    const alone = await listTeamsOwnedAlone(tx, userId)
    if (alone.length > 0) throw needsOwner(alone)
    for (const { id: ownerId, role } of teams) {
      await deleteInvitationsBy(tx, { ownerId, userId })
      const revokedKeys = await revokeKeysOfMember(tx, { ownerId, userId, links: true })
      const detail = { role, revokedKeys, left: true }
      await audit(tx, { ...actor, ownerId }, { action: 'member.removed', subjectId: userId, detail })
    }
    await closeAccount(tx, userId)
    await audit(tx, { ...actor, ownerId: userId }, { action: 'account.deleted', subjectId: userId })
    if (isAdmin && (await countAdmins(tx)) === 0) {
      throw new Problem('forbidden', { msg: 'This is the last administrator. Make somebody else one first.' })
    }
  }
}

/** Locks the user's own owner and those of its teams, in the order of their ids, then the user. */
async function holdAll(tx: Executor, userId: ObjectId): Promise<readonly TeamRecord[]> {
  const known = (await listTeams(tx, userId)).map(({ id }) => id)
  for (const id of [userId, ...known].sort()) await lockOwner(tx, id)
  if (!(await lockUser(tx, userId))) throw new Problem('not_found')
  // A team that the user joined while we waited for the locks.
  const teams = await listTeams(tx, userId)
  for (const { id } of teams) if (!known.includes(id)) await lockOwner(tx, id)
  return teams
}

function needsOwner(teams: readonly { readonly id: ObjectId; readonly name: string }[]): Problem {
  const names = teams.map(({ name }) => name).join(', ')
  const msg = `This account is the only owner of: ${names}. Make somebody else an owner first, or delete the team.`
  const why = 'has no other owner.'
  const errors = teams.map(({ id }) => ({ path: `teams.${id}`, msg: why, code: 'conflict' as const }))
  return new Problem('invalid_request', { msg, errors })
}
