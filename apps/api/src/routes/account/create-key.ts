import { isAddressRange } from '@lathe/accounts'
import { parseKey, toApiKeyView } from '@lathe/contract'
import { type ApiKeyRecord, findKeyOfOwner } from '@lathe/database'
import { oncePerKey } from '@lathe/orchestrator'
import type { FastifyInstance } from 'fastify'
import { actorOf } from '../../audit-actor.ts'
import { requireConfirmed } from '../../auth/confirm-identity.ts'
import { currentOf, idempotencyOf } from '../../creation.ts'
import { callerOf, endpoint } from '../../route-config.ts'
import type { AccountServices } from './account-routes.ts'

/** POST /v1/account/keys. */
export function createKeyRoute(app: FastifyInstance, services: AccountServices): void {
  const { database, keys, clock, audit } = services

  app.route({
    ...endpoint('createKey'),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { ownerId, scopes, allowedFrom, expiresAt } = caller
      const maker = { scopes, allowedFrom, expiresAt, now: clock.now(), isRange: isAddressRange }
      const wanted = parseKey(request.body, maker)
      const actor = actorOf(request)
      if (actor.via === 'session') await requireConfirmed(services, caller.keyId)
      const idempotency = idempotencyOf(request)
      const answer = await database.transaction((tx) =>
        oncePerKey(tx, services, caller, idempotency, async () => {
          const { record, key } = await keys.createOwnKey(tx, caller, wanted)
          const detail = { name: record.name, scopes: record.scopes }
          await audit(tx, actor, { action: 'key.created', subjectId: record.id, detail })
          return { ...record, key }
        }),
      )
      // Only the hash is stored, so a repeated request gets the key's record without the key.
      const made = await currentOf<ApiKeyRecord & { key?: string }>(reply, answer, (id) =>
        findKeyOfOwner(database.pool, { ownerId, id }),
      )
      return reply.code(201).send({ ...toApiKeyView(made), key: made.key ?? null })
    },
  })
}
