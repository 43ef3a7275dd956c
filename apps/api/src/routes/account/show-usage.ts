import { parseUsageQuery, type RawQuery, toUsageView } from '@lathe/contract'
import { listUsage, sumUsage } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint } from '../../route-config.ts'
import type { AccountServices } from './account-routes.ts'

/** GET /v1/account/usage. */
export function showUsageRoute(app: FastifyInstance, { database, clock }: AccountServices): void {
  app.route({
    ...endpoint('showUsage'),
    handler: async (request) => {
      const query = parseUsageQuery(request.query as RawQuery, clock.now())
      const { from: firstDay, to: lastDay, groupBy, limit, offset } = query
      const days = { ownerId: callerOf(request).ownerId, firstDay, lastDay }
      const [total, found] = await Promise.all([
        sumUsage(database.pool, days),
        listUsage(database.pool, { ...days, groupBy, limit, offset }),
      ])
      return toUsageView(query, total, found)
    },
  })
}
