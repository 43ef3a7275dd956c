import { invitationUrl, type MadeInvitation, toInvitationMail } from '@lathe/accounts'
import { parseAcceptance, parseId, parseInvitation, parseInvitationLink } from '@lathe/contract'
import type { InvitationRecord } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireNoBody } from '../http/body.ts'
import { pathParam } from '../route-config.ts'
import { showUser, showVisit } from './show-session.ts'
import { countAttempt } from './sign-in-limit.ts'
import { requireTeam } from './teams.ts'
import {
  type AuthServices,
  actorIn,
  actorOf,
  findVisit,
  giveCookie,
  markBrowser,
  originOf,
  requirePerson,
} from './visit.ts'

/** GET and POST /auth/teams/:id/invitations, DELETE /auth/teams/:id/invitations/:invitationId. */
export function invitationRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit, http } = services
  app.get('/teams/:id/invitations', { config: { scope: 'public' } }, async (request) => {
    const { actor } = await requireTeam(services, request)
    await auth.teams.require(database.pool, actor, 'admin')
    return { data: (await auth.invitations.list(actor.teamId)).map(toView) }
  })
  app.post('/teams/:id/invitations', { config: { scope: 'public' } }, async (request, reply) => {
    const wanted = parseInvitation(request.body)
    const { session, actor } = await requireTeam(services, request)
    const { id, link, ...mailing } = await database.transaction(async (tx) => {
      const made = await auth.invitations.create(tx, actor, wanted)
      const entry = { action: 'invitation.created', subjectId: made.id, detail: wanted } as const
      await audit(tx, actorIn(actor.teamId, session, request), entry)
      return made
    })
    const made = await auth.invitations.show(link)
    const url = invitationUrl(http.publicUrl, link)
    return reply.code(201).send({ ...toView(made), id, url, mail: await mailLink(services, request, made, mailing) })
  })
  app.delete('/teams/:id/invitations/:invitationId', { config: { scope: 'public' } }, async (request, reply) => {
    requireNoBody(request.body)
    const { session, actor } = await requireTeam(services, request)
    const id = parseId(pathParam(request, 'invitationId'), 'invitationId')
    await database.transaction(async (tx) => {
      await auth.invitations.revoke(tx, actor, id)
      await audit(tx, actorIn(actor.teamId, session, request), { action: 'invitation.revoked', subjectId: id })
    })
    return reply.code(204).send()
  })
}

/**
 * Mails a link of its own if there is a mail server: the link that the inviter sees would not prove who opens it. The
 * invitation is valid even if mailing fails.
 */
async function mailLink(
  { auth, http }: AuthServices,
  request: FastifyRequest,
  { email, team, inviter, expiresAt }: InvitationRecord,
  { mailedLink: link, isMailLimited }: Pick<MadeInvitation, 'mailedLink' | 'isMailLimited'>,
): Promise<'sent' | 'failed' | 'limited' | 'none'> {
  if (!auth.sendMail || email === null) return 'none'
  if (isMailLimited || link === undefined) return 'limited'
  const url = invitationUrl(http.publicUrl, link)
  try {
    await auth.sendMail(toInvitationMail({ to: email, team, inviter, expiresAt, url }))
    return 'sent'
  } catch (err) {
    request.log.warn({ err }, 'invitation not mailed')
    return 'failed'
  }
}

/** POST /auth/invitations/show and /accept: for anyone with the link. */
export function joinRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.post('/invitations/show', { config: { scope: 'public' } }, async (request) => {
    const invitation = await auth.invitations.show(parseInvitationLink(request.body))
    const { team, role, inviter, email, expiresAt } = invitation
    return { team, role, inviter, email, expiresAt, createsAccount: auth.invitations.mayCreateAccount(invitation) }
  })
  app.post('/invitations/accept', { config: { scope: 'public' } }, async (request, reply) => {
    const { link, person } = parseAcceptance(request.body)
    if (person) return joinAsNew(services, request, reply, { link, person })
    const visit = await requirePerson(services, request)
    const { session, login } = visit
    const { ownerId } = await database.transaction(async (tx) => {
      const accepted = await auth.invitations.accept(tx, link, login)
      await audit(tx, actorIn(accepted.ownerId, session, request), joined(accepted, session.userId))
      return accepted
    })
    await auth.sessions.switchOwner(session, ownerId)
    return showVisit(services, { ...visit, session: { ...session, ownerId } })
  })
}

type Acceptance = Required<ReturnType<typeof parseAcceptance>>

/** Creates an account for the invited person and signs it in. */
async function joinAsNew(
  services: AuthServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { link, person }: Acceptance,
) {
  const { auth, database, audit } = services
  if (auth.config.mode !== 'accounts') throw new Problem('forbidden', { msg: 'Accounts are not made here.' })
  if (await findVisit(services, request)) {
    throw new Problem('invalid_request', { msg: 'You are signed in. Accept without `person`, or sign out first.' })
  }
  const attempt = await countAttempt(services, request, reply)
  // Checked first: without a valid link, a client must not learn which email addresses are taken.
  const invitation = await auth.invitations.show(link)
  if (!auth.invitations.mayCreateAccount(invitation)) {
    throw new Problem('forbidden', {
      msg: 'This invitation creates no account. Sign in with an account, or ask an administrator for one, then open it again.',
    })
  }
  const emailProof = invitation.provesEmail ? 'mail' : 'nobody'
  const { login, opened, teamId } = await database.transaction(async (tx) => {
    const made = await auth.logins.create(tx, { ...person, emailProof, isAdmin: false })
    const accepted = await auth.invitations.accept(tx, link, made)
    const first = await auth.sessions.open(tx, { userId: made.userId, kind: 'usual', ...originOf(request) })
    const detail = { email: made.email, isAdmin: false, by: 'invitation' }
    await audit(tx, actorOf(first.session, request), { action: 'account.created', subjectId: made.userId, detail })
    await audit(tx, actorIn(accepted.ownerId, first.session, request), joined(accepted, made.userId))
    return { login: made, opened: first, teamId: accepted.ownerId }
  })
  await attempt.succeed()
  await auth.sessions.switchOwner(opened.session, teamId)
  giveCookie(services, reply, opened)
  markBrowser(services, reply, login)
  return reply.code(201).send(await showUser(services, login.userId, login, teamId))
}

function joined({ id, role, invitedBy }: InvitationRecord, userId: string) {
  return { action: 'member.added', subjectId: userId, detail: { role, invitation: id, invitedBy } } as const
}

function toView({ id, role, email, inviter, createdAt, expiresAt }: InvitationRecord) {
  return { id, role, email, inviter, createdAt, expiresAt }
}
