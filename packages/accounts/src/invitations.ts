import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@lathe/contract'
import {
  countToday,
  type Database,
  deleteInvitation,
  type Executor,
  type FoundInvitation,
  findInvitation,
  type InvitationRecord,
  insertInvitation,
  listInvitations,
  lockOwner,
  takeInvitation,
} from '@lathe/database'
import { type IdMint, invalidField, mayManage, type ObjectId, type OwnerRole, Problem } from '@lathe/domain'
import { isPlainEmail, normalizeEmail } from './logins.ts'
import type { TeamActor, Teams } from './teams.ts'

/** The request for an invitation. */
export interface NewInvite {
  readonly role: OwnerRole
  /** The recipient, if known. */
  readonly email?: string | undefined
}

/** A new invitation. The secrets of its links are given once: only their hashes are stored. */
export interface MadeInvitation {
  readonly id: ObjectId
  /** For the inviter, to pass on. */
  readonly link: string
  /** For the mail alone, if the recipient is known: a user who has it receives mail at the address. */
  readonly mailedLink: string | undefined
  /** Whether no mail may be sent, because the recipient got enough of them today. */
  readonly isMailLimited: boolean
}

/** A user who accepts an invitation. */
export interface Joining {
  readonly userId: ObjectId
  readonly email: string
}

/** Links for joining teams: each invitation works once, for 7 days, and only for its email address if it has one. */
export interface Invitations {
  /** Creates an invitation, in a transaction. */
  create(tx: Executor, actor: TeamActor, wanted: NewInvite): Promise<MadeInvitation>
  /** The valid invitations of a team. */
  list(teamId: ObjectId): Promise<readonly InvitationRecord[]>
  /** Revokes an invitation, in a transaction. */
  revoke(tx: Executor, actor: TeamActor, id: ObjectId): Promise<void>
  /** The invitation of a link; throws a Problem unless it is valid. */
  show(link: string): Promise<FoundInvitation>
  /** Whether new accounts may be created with an invitation. */
  mayCreateAccount(invitation: FoundInvitation): boolean
  /** Adds a user to a team by a link, in a transaction; throws a Problem unless it is valid. */
  accept(tx: Executor, link: string, user: Joining): Promise<InvitationRecord>
}

interface InvitationsParts {
  readonly database: Pick<Database, 'pool'>
  readonly ids: IdMint
  readonly teams: Pick<Teams, 'hold' | 'add'>
  /** Whose invitations may create accounts. */
  readonly createsAccounts: 'nobody' | 'administrators' | 'everybody'
  /** How many invitations a user may create per day. */
  readonly perDay: number
  /** How many of them are mailed to one address per day, whoever invites. */
  readonly mailsPerRecipient: number
  /** Whether users sign in with email addresses; the names that a proxy gives are others. */
  readonly hasEmails: boolean
}

const linkBytes = 32
const linkS = 7 * 24 * 3600

/** Creates invitations and redeems them. */
export function createInvitations({
  database,
  ids,
  teams,
  createsAccounts,
  hasEmails,
  perDay,
  mailsPerRecipient,
}: InvitationsParts): Invitations {
  async function load(db: Executor, link: string): Promise<FoundInvitation> {
    const invitation = await findInvitation(db, hashOf(link))
    if (!invitation) throw voidLink()
    return invitation
  }

  // Counted apart from the invitations: revoking one must not make room for another mail.
  async function refuseTooMany(tx: Executor, userId: ObjectId): Promise<void> {
    if ((await countToday(tx, `invitations of ${userId}`)) <= perDay) return
    const msg = `You have created ${perDay} invitations today, and no more may be. Continue tomorrow (UTC).`
    throw new Problem('forbidden', { msg: perDay === 0 ? 'Nobody may invite people to this service.' : msg })
  }

  return {
    async create(tx, { teamId, userId }, { role, email: given }) {
      if (given !== undefined && !isPlainEmail(given)) {
        throw invalidField('email', 'must not contain characters that have a simpler form, such as full-width letters.')
      }
      const email = given === undefined ? null : normalizeEmail(given)
      const own = await teams.hold(tx, { teamId, userId }, 'admin')
      if (!mayManage(own, role)) throw new Problem('forbidden', { msg: 'Only owners may invite owners.' })
      await refuseTooMany(tx, userId)
      const open = await listInvitations(tx, teamId)
      if (open.length >= limits.invitationsPerTeam) {
        const msg = `${open.length} invitations of the team are open, and no more may be. Revoke one.`
        throw new Problem('invalid_request', { msg })
      }
      const isMailed = email !== null && (await countToday(tx, `mails to ${hashOf(email)}`)) <= mailsPerRecipient
      const [id, link, mailedLink] = [ids.next(), newLink(), isMailed ? newLink() : undefined]
      const hashes = { hash: hashOf(link), mailedHash: mailedLink === undefined ? null : hashOf(mailedLink) }
      await insertInvitation(tx, { id, ownerId: teamId, role, ...hashes, email, invitedBy: userId, lastsS: linkS })
      return { id, link, mailedLink, isMailLimited: email !== null && !isMailed }
    },
    list: (teamId) => listInvitations(database.pool, teamId),
    async revoke(tx, actor, id) {
      await teams.hold(tx, actor, 'admin')
      if (!(await deleteInvitation(tx, { id, ownerId: actor.teamId }))) throw new Problem('not_found')
    },
    show: (link) => load(database.pool, link),
    mayCreateAccount: ({ isByAdmin }) =>
      createsAccounts === 'everybody' || (createsAccounts === 'administrators' && isByAdmin),
    async accept(tx, link, { userId, email }) {
      const invitation = await load(tx, link)
      const { id, ownerId: teamId, role } = invitation
      if (hasEmails && invitation.email !== null && invitation.email !== email) throw notForYou(invitation.email)
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

function notForYou(email: string): Problem {
  return new Problem('forbidden', {
    msg: `This invitation is for ${email}. Sign in to the account with this address, or ask for an invitation without one.`,
  })
}

const newLink = () => randomBytes(linkBytes).toString('base64url')
const hashOf = (link: string) => createHash('sha256').update(link).digest('hex')
