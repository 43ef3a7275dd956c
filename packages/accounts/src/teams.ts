import { limits } from '@lathe/contract'
import {
  closeTeam,
  countMembers,
  countOwnedTeams,
  type Database,
  deleteInvitationsBy,
  deleteMembership,
  type Executor,
  findManaged,
  findMembership,
  insertMembership,
  insertTeam,
  isOpenTeam,
  listMembers,
  listTeams,
  lockOwner,
  type MemberRecord,
  putManaged,
  renameTeam,
  revokeKeysOfMember,
  type TeamRecord,
  updateMembership,
} from '@lathe/database'
import { type IdMint, isAtLeast, mayManage, type ObjectId, type OwnerRole, Problem } from '@lathe/domain'

/** A user who acts in a team. */
export interface TeamActor {
  readonly teamId: ObjectId
  readonly userId: ObjectId
}

/** What a change did to a member. */
export interface MemberChange {
  readonly from: OwnerRole
  /** How many keys were revoked. */
  readonly keys: number
}

/** What groups of the identity provider changed for a user in a team. */
export interface TeamSync {
  readonly teamId: ObjectId
  readonly action: 'member.added' | 'member.changed' | 'member.removed'
  readonly role: OwnerRole
}

/** Owners that several users share. Each change locks the team, so that changes of one team are serialized. */
export interface Teams {
  /** Creates a team with the user as its owner, in a transaction. */
  create(
    tx: Executor,
    creator: { readonly userId: ObjectId; readonly isAdmin: boolean },
    name: string,
  ): Promise<ObjectId>
  list(userId: ObjectId): Promise<readonly TeamRecord[]>
  /** The role of a user in a team; throws a Problem if the user is not a member, or the role is not sufficient. */
  require(db: Executor, actor: TeamActor, needed: OwnerRole): Promise<OwnerRole>
  /** Same, in a transaction with the team locked. */
  hold(tx: Executor, actor: TeamActor, needed: OwnerRole): Promise<OwnerRole>
  rename(tx: Executor, actor: TeamActor, name: string): Promise<void>
  /** Deletes a team permanently, unless it has open tasks. */
  delete(tx: Executor, actor: TeamActor): Promise<void>
  members(teamId: ObjectId): Promise<readonly MemberRecord[]>
  /** Adds a member to a team that the caller has locked. */
  add(tx: Executor, member: TeamActor & { readonly role: OwnerRole }): Promise<void>
  /** Changes the role of a member; never that of the last owner. */
  setRole(tx: Executor, actor: TeamActor, userId: ObjectId, role: OwnerRole, keepKeys: boolean): Promise<MemberChange>
  /** Removes a member, or lets one leave; never the last owner. */
  remove(tx: Executor, actor: TeamActor, userId: ObjectId, keepKeys: boolean): Promise<MemberChange>
  /** Gives a user the role that its groups define; roles that people have set stay. */
  sync(tx: Executor, place: TeamActor, role: 'admin' | 'member' | undefined): Promise<TeamSync | undefined>
}

interface TeamsParts {
  readonly database: Pick<Database, 'pool'>
  readonly ids: IdMint
  /** Maximum number of concurrent tasks of a new team. */
  readonly slots: number
  /** Teams that one person may own. */
  readonly perPerson: number
}

/** Creates teams, and changes their members. */
export function createTeams({ database, ids, slots, perPerson }: TeamsParts): Teams {
  async function require(db: Executor, { teamId, userId }: TeamActor, needed: OwnerRole): Promise<OwnerRole> {
    const role = await findMembership(db, { ownerId: teamId, userId })
    // Non-members must not learn that the team exists.
    if (!role) throw new Problem('not_found')
    if (isAtLeast(role, needed)) return role
    throw new Problem('forbidden', { msg: `Only ${needed === 'owner' ? 'owners' : 'owners and admins'} may do this.` })
  }

  async function hold(tx: Executor, actor: TeamActor, needed: OwnerRole): Promise<OwnerRole> {
    await lockOwner(tx, actor.teamId)
    return require(tx, actor, needed)
  }

  /**
   * Revokes the keys and invitations of a member who may no longer create any, and invalidates links if the member is
   * gone.
   */
  async function withdraw(tx: Executor, { teamId, userId }: TeamActor, links: boolean): Promise<number> {
    await deleteInvitationsBy(tx, { ownerId: teamId, userId })
    return revokeKeysOfMember(tx, { ownerId: teamId, userId, links })
  }

  return {
    async create(tx, { userId, isAdmin }, name) {
      // Locked, so that teams created at the same time are counted.
      await lockOwner(tx, userId)
      const owned = await countOwnedTeams(tx, userId)
      const most = isAdmin ? limits.teamsPerPerson : Math.min(perPerson, limits.teamsPerPerson)
      if (owned >= most) throw new Problem('forbidden', { msg: `You own ${owned} teams, and may own ${most}.` })
      const id = ids.next()
      await insertTeam(tx, { id, name, slots })
      await insertMembership(tx, { ownerId: id, userId, role: 'owner' })
      return id
    },
    list: (userId) => listTeams(database.pool, userId),
    require,
    hold,
    async rename(tx, actor, name) {
      await hold(tx, actor, 'admin')
      await renameTeam(tx, { id: actor.teamId, name })
    },
    async delete(tx, actor) {
      const owner = await lockOwner(tx, actor.teamId)
      await require(tx, actor, 'owner')
      if (owner && owner.openTasks > 0) {
        const msg = `${owner.openTasks} tasks of the team have not ended. Cancel them, or wait for them.`
        throw new Problem('invalid_request', { msg })
      }
      await closeTeam(tx, actor.teamId)
    },
    members: (teamId) => listMembers(database.pool, teamId),
    async add(tx, { teamId, userId, role }) {
      const { members } = await countMembers(tx, teamId)
      if (members >= limits.membersPerTeam) {
        throw new Problem('invalid_request', { msg: `A team may have ${limits.membersPerTeam} members.` })
      }
      const isNew = await insertMembership(tx, { ownerId: teamId, userId, role })
      if (!isNew) throw new Problem('invalid_request', { msg: 'You are a member of this team already.' })
    },
    async setRole(tx, actor, userId, role, keepKeys) {
      const own = await hold(tx, actor, 'admin')
      const place = { ownerId: actor.teamId, userId }
      const from = await requireManageable(tx, place, own)
      if (!mayManage(own, role)) throw new Problem('forbidden', { msg: 'Only owners may make owners.' })
      if (from === 'owner' && role !== 'owner') await refuseLastOwner(tx, actor.teamId, 'role')
      await updateMembership(tx, { ...place, role })
      const hasLost = isAtLeast(from, 'admin') && !isAtLeast(role, 'admin') && !keepKeys
      return { from, keys: hasLost ? await withdraw(tx, { teamId: actor.teamId, userId }, false) : 0 }
    },
    async remove(tx, actor, userId, keepKeys) {
      const isSelf = userId === actor.userId
      const own = await hold(tx, actor, isSelf ? 'member' : 'admin')
      const place = { ownerId: actor.teamId, userId }
      const from = isSelf ? own : await requireManageable(tx, place, own)
      if (from === 'owner') await refuseLastOwner(tx, actor.teamId, 'userId')
      await deleteMembership(tx, place)
      return { from, keys: keepKeys ? 0 : await withdraw(tx, { teamId: actor.teamId, userId }, true) }
    },
    async sync(tx, { teamId, userId }, role) {
      const place = { ownerId: teamId, userId }
      await lockOwner(tx, teamId)
      const [isThere, current] = [await isOpenTeam(tx, teamId), await findManaged(tx, place)]
      if (!isThere || current?.role === role || (current && !current.managed)) return undefined
      if (role === undefined) {
        await deleteMembership(tx, place)
        await withdraw(tx, { teamId, userId }, true)
        return current && { teamId, action: 'member.removed', role: current.role }
      }
      await putManaged(tx, { ...place, role })
      if (current?.role === 'admin') await withdraw(tx, { teamId, userId }, false)
      return { teamId, action: current ? 'member.changed' : 'member.added', role }
    },
  }
}

async function requireManageable(tx: Executor, place: { ownerId: ObjectId; userId: ObjectId }, own: OwnerRole) {
  const from = await findMembership(tx, place)
  if (!from) throw new Problem('not_found')
  if (mayManage(own, from)) return from
  throw new Problem('forbidden', { msg: 'Only owners may change or remove owners.' })
}

async function refuseLastOwner(tx: Executor, teamId: ObjectId, field: string): Promise<void> {
  const { owners } = await countMembers(tx, teamId)
  if (owners > 1) return
  const msg = 'A team needs an owner. Make somebody else an owner first, or delete the team.'
  throw new Problem('invalid_request', { msg, errors: [{ path: field, msg, code: 'conflict' }] })
}
