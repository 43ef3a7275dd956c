import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@lathe/contract'
import {
  type Database,
  deleteInvitation,
  type Executor,
  findInvitation,
  type InvitationRecord,
  insertInvitation,
  listInvitations,
  lockOwner,
  takeInvitation,
} from '@lathe/database'
import { type IdMint, mayManage, type ObjectId, type OwnerRole, Problem } from '@lathe/domain'
import type { TeamActor, Teams } from './teams.ts'

/** The request for an invitation. */
export interface NewInvite {
  readonly role: OwnerRole
  /** The recipient, if known. */
  readonly email?: string | undefined
}

/** A new invitation. Its link secret is shown once: only its hash is stored. */
export interface MadeInvitation {
  readonly id: ObjectId
  readonly link: string
}

/** Links for joining teams: each works once, for 7 days, for anyone who has it. */
export interface Invitations {
  /** Creates an invitation, in a transaction. */
  create(tx: Executor, actor: TeamActor, wanted: NewInvite): Promise<MadeInvitation>
  /** The valid invitations of a team. */
  list(teamId: ObjectId): Promise<readonly InvitationRecord[]>
  /** Revokes an invitation, in a transaction. */
  revoke(tx: Executor, actor: TeamActor, id: ObjectId): Promise<void>
  /** The invitation of a link; throws a Problem unless it is valid. */
  show(link: string): Promise<InvitationRecord>
  /** Adds a user to a team by a link, in a transaction; throws a Problem unless it is valid. */
  accept(tx: Executor, link: string, userId: ObjectId): Promise<InvitationRecord>
}

interface InvitationsParts {
  readonly database: Pick<Database, 'pool'>
  readonly ids: IdMint
  readonly teams: Pick<Teams, 'hold' | 'add'>
}

const linkBytes = 32
const linkS = 7 * 24 * 3600

/** Creates invitations and redeems them. */
export function createInvitations({ database, ids, teams }: InvitationsParts): Invitations {
  async function load(db: Executor, link: string): Promise<InvitationRecord> {
    const invitation = await findInvitation(db, hashOf(link))
    if (!invitation) throw voidLink()
    return invitation
  }
  return {
    async create(tx, { teamId, userId }, { role, email = null }) {
      const own = await teams.hold(tx, { teamId, userId }, 'admin')
      if (!mayManage(own, role)) throw new Problem('forbidden', { msg: 'Only owners may invite owners.' })
      const open = await listInvitations(tx, teamId)
      if (open.length >= limits.invitationsPerTeam) {
        const msg = `${open.length} invitations of the team are open, and no more may be. Revoke one.`
        throw new Problem('invalid_request', { msg })
      }
      const [id, link] = [ids.next(), randomBytes(linkBytes).toString('base64url')]
      const kept = { id, ownerId: teamId, role, hash: hashOf(link), email, invitedBy: userId, lastsS: linkS }
      await insertInvitation(tx, kept)
      return { id, link }
    },
    list: (teamId) => listInvitations(database.pool, teamId),
    async revoke(tx, actor, id) {
      await teams.hold(tx, actor, 'admin')
      if (!(await deleteInvitation(tx, { id, ownerId: actor.teamId }))) throw new Problem('not_found')
    },
    show: (link) => load(database.pool, link),
    async accept(tx, link, userId) {
      const invitation = await load(tx, link)
      const { id, ownerId: teamId, role } = invitation
      await lockOwner(tx, teamId)
      if (!(await takeInvitation(tx, id))) throw voidLink()
      await teams.add(tx, { teamId, userId, role })
      return invitation
    },
  }
}

/** The URL of an invitation. The part after the # is not sent to servers, so it appears in no log. */
export function invitationUrl(publicUrl: string, link: string): string {
  return `${publicUrl}/join#${link}`
}

function voidLink(): Problem {
  return new Problem('link_expired', {
    msg: 'The invitation was used or revoked, is older than 7 days, or wrong. Ask for another.',
  })
}

const hashOf = (link: string) => createHash('sha256').update(link).digest('hex')
