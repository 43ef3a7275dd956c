import { parseId, parseMember, parseMemberRemoval } from '@lathe/contract'
import type { MemberRecord } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { pathParam } from '../route-config.ts'
import { requireTeam } from './teams.ts'
import { type AuthServices, actorIn } from './visit.ts'

/**
 * GET /auth/teams/:id/members, PATCH and DELETE /auth/teams/:id/members/:userId. Members leave by removing themselves.
 */
export function memberRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.get('/teams/:id/members', { config: { scope: 'public' } }, async (request) => {
    const { actor } = await requireTeam(services, request)
    await auth.teams.require(database.pool, actor, 'member')
    return { data: (await auth.teams.members(actor.teamId)).map(toView) }
  })
  app.patch('/teams/:id/members/:userId', { config: { scope: 'public' } }, async (request) => {
    const { role, keepKeys } = parseMember(request.body)
    const { session, actor } = await requireTeam(services, request)
    const userId = parseId(pathParam(request, 'userId'), 'userId')
    return database.transaction(async (tx) => {
      const { from, keys } = await auth.teams.setRole(tx, actor, userId, role, keepKeys)
      const entry = { action: 'member.changed', subjectId: userId, detail: { from, role, revokedKeys: keys } } as const
      if (from !== role) await audit(tx, actorIn(actor.teamId, session, request), entry)
      return { id: userId, role, revokedKeys: keys }
    })
  })
  app.delete('/teams/:id/members/:userId', { config: { scope: 'public' } }, async (request) => {
    const { keepKeys } = parseMemberRemoval(request.body)
    const { session, actor } = await requireTeam(services, request)
    const userId = parseId(pathParam(request, 'userId'), 'userId')
    return database.transaction(async (tx) => {
      const { from, keys } = await auth.teams.remove(tx, actor, userId, keepKeys)
      const detail = { role: from, revokedKeys: keys, left: userId === actor.userId }
      const entry = { action: 'member.removed', subjectId: userId, detail } as const
      await audit(tx, actorIn(actor.teamId, session, request), entry)
      return { id: userId, revokedKeys: keys }
    })
  })
}

function toView({ userId, name, email, role, createdAt }: MemberRecord) {
  return { id: userId, name, email, role, joinedAt: createdAt }
}
