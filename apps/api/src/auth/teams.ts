import type { TeamActor } from '@lathe/accounts'
import { parseActiveOwner, parseId, parseTeam } from '@lathe/contract'
import type { SessionRecord } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireNoBody } from '../http/body.ts'
import { pathParam } from '../route-config.ts'
import { showVisit } from './show-session.ts'
import { type AuthServices, actorIn, requirePerson } from './visit.ts'

/** POST /auth/owner: sets the owner that the tokens of this session act for. */
export function activeOwnerRoute(app: FastifyInstance, services: AuthServices): void {
  app.post('/owner', { config: { scope: 'public' } }, async (request) => {
    const ownerId = parseActiveOwner(request.body)
    const visit = await requirePerson(services, request)
    const maySwitch = await services.auth.sessions.switchOwner(visit.session, ownerId)
    if (!maySwitch) throw new Problem('forbidden', { msg: 'You may not act for this owner.' })
    return showVisit(services, { ...visit, session: { ...visit.session, ownerId } })
  })
}

/** GET and POST /auth/teams, PATCH and DELETE /auth/teams/:id. */
export function teamRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.get('/teams', { config: { scope: 'public' } }, async (request) => {
    const { login } = await requirePerson(services, request)
    return { data: await auth.teams.list(login.userId) }
  })
  app.post('/teams', { config: { scope: 'public' } }, async (request, reply) => {
    const { name } = parseTeam(request.body)
    const { session, login } = await requirePerson(services, request)
    const id = await database.transaction(async (tx) => {
      const teamId = await auth.teams.create(tx, login, name)
      const entry = { action: 'team.created', subjectId: teamId, detail: { name } } as const
      await audit(tx, actorIn(teamId, session, request), entry)
      return teamId
    })
    return reply.code(201).send({ id, name, kind: 'team', role: 'owner' })
  })
  app.patch('/teams/:id', { config: { scope: 'public' } }, async (request, reply) => {
    const { name } = parseTeam(request.body)
    const { session, actor } = await requireTeam(services, request)
    await database.transaction(async (tx) => {
      await auth.teams.rename(tx, actor, name)
      const entry = { action: 'team.changed', subjectId: actor.teamId, detail: { name } } as const
      await audit(tx, actorIn(actor.teamId, session, request), entry)
    })
    return reply.code(204).send()
  })
  app.delete('/teams/:id', { config: { scope: 'public' } }, async (request, reply) => {
    requireNoBody(request.body)
    const { session, actor } = await requireTeam(services, request)
    await database.transaction(async (tx) => {
      await auth.teams.delete(tx, actor)
      await audit(tx, actorIn(actor.teamId, session, request), { action: 'team.deleted', subjectId: actor.teamId })
    })
    return reply.code(204).send()
  })
}

/** The caller and the team. The change itself checks the caller's role, while it holds the lock on the team. */
export async function requireTeam(
  services: AuthServices,
  request: FastifyRequest,
): Promise<{ readonly session: SessionRecord; readonly actor: TeamActor }> {
  const { session, login } = await requirePerson(services, request)
  return { session, actor: { teamId: parseId(pathParam(request, 'id'), 'id'), userId: login.userId } }
}
