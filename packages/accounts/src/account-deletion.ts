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
 * Deletes a person for good, in a transaction; throws a Problem if a team, or the instance, would be left without who can
 * manage it. Nobody acts for them any more once it is committed; their tasks and files go after that.
 */
export type DeleteAccount = (
  tx: Executor,
  person: Pick<LoginRecord, 'userId' | 'isAdmin'>,
  actor: AuditActor,
) => Promise<void>

export function createAccountDeletion({ audit }: { readonly audit: Audit }): DeleteAccount {
  return async (tx, { userId, isAdmin }, actor) => {
    // Two administrators, or two owners of a team, who delete themselves come one after another.
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

/** Holds the user's own owner and those of its teams, each before the next by id, then the user. */
async function holdAll(tx: Executor, userId: ObjectId): Promise<readonly TeamRecord[]> {
  const known = (await listTeams(tx, userId)).map(({ id }) => id)
  for (const id of [userId, ...known].sort()) await lockOwner(tx, id)
  if (!(await lockUser(tx, userId))) throw new Problem('not_found')
  // One that was joined while the others were waited for.
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
