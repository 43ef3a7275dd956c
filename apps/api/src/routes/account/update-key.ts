import { isAddressRange } from '@lathe/accounts'
import { parseId, parseKeyChange, toApiKeyView } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { actorOf } from '../../audit-actor.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { AccountServices } from './account-routes.ts'

/** PATCH /v1/account/keys/{keyId}. */
export function updateKeyRoute(app: FastifyInstance, { database, keys, audit }: AccountServices): void {
  app.route({
    ...endpoint('updateKey'),
    handler: async (request) => {
      const caller = callerOf(request)
      const id = parseId(pathParam(request, 'keyId'), 'keyId')
      const change = parseKeyChange(request.body, { allowedFrom: caller.allowedFrom, isRange: isAddressRange })
      const changed = await database.transaction(async (tx) => {
        const record = await keys.changeOwnKey(tx, caller, { ...change, id })
        if (!record) throw new Problem('not_found')
        await audit(tx, actorOf(request), { action: 'key.changed', subjectId: id, detail: { ...change } })
        return record
      })
      return toApiKeyView(changed)
    },
  })
}
