import { parseOptionsQuery, type RawQuery, toOptionSet } from '@lathe/contract'
import { type ProcessingOperation, processingOperations } from '@lathe/operations'
import type { FastifyInstance } from 'fastify'
import { capitalize } from '../../http/capitalize.ts'
import { endpoint } from '../../route-config.ts'

/** GET /v1/query/options/{operation}. */
export function queryOptionsRoutes(app: FastifyInstance): void {
  for (const operation of processingOperations) queryOperationOptionsRoute(app, operation)
}

function queryOperationOptionsRoute(app: FastifyInstance, operation: ProcessingOperation): void {
  app.route({
    ...endpoint(`query${capitalize(operation)}Options`),
    handler: async (request) => toOptionSet(parseOptionsQuery(request.query as RawQuery, operation)),
  })
}
