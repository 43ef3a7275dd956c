import { type Account, parseId, type RawQuery, revokeKeyQuery, toAccountView, toApiKeyView } from '@lathe/contract'
import { findAccount, type OwnerPlan } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { actorOf } from '../../audit-actor.ts'
import { requireNoBody } from '../../http/body.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { createKeyRoute } from './create-key.ts'
import { listAuditRoute } from './list-audit.ts'
import { showUsageRoute } from './show-usage.ts'
import { updateKeyRoute } from './update-key.ts'

export type AccountServices = Pick<
  Services,
  'database' | 'keys' | 'clock' | 'http' | 'ownerLimits' | 'audit' | 'counts' | 'auth'
>

/** The account of the calling key, and its keys. */
export function accountRoutes(app: FastifyInstance, services: AccountServices): void {
  const { database, keys, audit } = services

  app.route({
    ...endpoint('showAccount'),
    handler: async (request) => {
      const account = await findAccount(database.pool, callerOf(request).ownerId)
      if (!account) throw new Problem('unauthorized')
      return toAccountView(account, limitsOf(services, account))
    },
  })

  app.route({
    ...endpoint('listKeys'),
    handler: async (request) => {
      const found = await keys.listKeys(callerOf(request).ownerId)
      return { keys: found.map(toApiKeyView) }
    },
  })

  createKeyRoute(app, services)
  updateKeyRoute(app, services)
  showUsageRoute(app, services)
  listAuditRoute(app, services)

  app.route({
    ...endpoint('revokeKey'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'keyId'), 'keyId')
      requireNoBody(request.body)
      const keepLinks = revokeKeyQuery.read(request.query as RawQuery).keep_links === 'true'
      const { ownerId } = callerOf(request)
      await database.transaction(async (tx) => {
        const revoked = await keys.revokeKey(id, { keepLinks, ownerId, tx })
        if (!revoked) throw new Problem('not_found')
        const detail = { name: revoked.name, keepLinks }
        await audit(tx, actorOf(request), { action: 'key.revoked', subjectId: id, detail })
      })
      return reply.code(200).send()
    },
  })
}

/** The limits of an account as shown to clients: null means no limit. */
function limitsOf({ http, ownerLimits }: AccountServices, { storageBytes }: OwnerPlan): Account['limits'] {
  return {
    openTasks: ownerLimits.openTasksPerOwner,
    storedBytes: (storageBytes ?? ownerLimits.storedBytesPerOwner) || null,
    fileBytes: http.maxFileBytes,
    requestsPerMinute: http.perKey,
    tasksPerMinute: http.tasksPerOwner,
  }
}
