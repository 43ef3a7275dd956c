import { parseFormatsQuery, type RawQuery, toFormatList } from '@lathe/contract'
import { type ProcessingOperation, processingOperations } from '@lathe/operations'
import type { FastifyInstance } from 'fastify'
import { capitalize } from '../../http/capitalize.ts'
import { endpoint } from '../../route-config.ts'

/** GET /v1/query/formats, and one for each operation. */
export function queryFormatsRoutes(app: FastifyInstance): void {
  app.route({ ...endpoint('queryFormats'), handler: async () => toFormatList() })
  for (const operation of processingOperations) queryOperationFormatsRoute(app, operation)
}

function queryOperationFormatsRoute(app: FastifyInstance, operation: ProcessingOperation): void {
  app.route({
    ...endpoint(`query${capitalize(operation)}Formats`),
    handler: async (request) => toFormatList(operation, parseFormatsQuery(request.query as RawQuery)),
  })
}
