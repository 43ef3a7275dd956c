import { parseOptionsQuery, type RawQuery, refuseDisabledPair, toOptionSet } from '@lathe/contract'
import { type ProcessingOperation, processingOperations } from '@lathe/operations'
import type { FastifyInstance } from 'fastify'
import { capitalize } from '../../http/capitalize.ts'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** GET /v1/query/options/{operation}. */
export function queryOptionsRoutes(app: FastifyInstance, services: Pick<Services, 'disabledFormats'>): void {
  for (const operation of processingOperations) queryOperationOptionsRoute(app, services, operation)
}

function queryOperationOptionsRoute(
  app: FastifyInstance,
  { disabledFormats }: Pick<Services, 'disabledFormats'>,
  operation: ProcessingOperation,
): void {
  app.route({
    ...endpoint(`query${capitalize(operation)}Options`),
    async handler(request) {
      const ability = parseOptionsQuery(request.query as RawQuery, operation)
      return toOptionSet(refuseDisabledPair(await disabledFormats.rules(), ability))
    },
  })
}
