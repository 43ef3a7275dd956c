import { parseRouteQuery, type RawQuery, refuseDisabledPair, routeFields, toRouteView } from '@lathe/contract'
import type { FastifyInstance } from 'fastify'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** GET /v1/query/routes. */
export function queryRouteRoute(
  app: FastifyInstance,
  { disabledFormats, pairRates }: Pick<Services, 'disabledFormats' | 'pairRates'>,
): void {
  app.route({
    ...endpoint('queryRoute'),
    async handler(request) {
      const ability = parseRouteQuery(request.query as RawQuery)
      const [rules, rates] = await Promise.all([disabledFormats.rules(), pairRates()])
      return toRouteView(refuseDisabledPair(rules, ability, routeFields), rates)
    },
  })
}
