import { parseFormatsQuery, type RawQuery, toFormatList } from '@lathe/contract'
import { type ProcessingOperation, processingOperations } from '@lathe/operations'
import type { FastifyInstance } from 'fastify'
import { capitalize } from '../../http/capitalize.ts'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** GET /v1/query/formats, and one for each operation. */
export function queryFormatsRoutes(app: FastifyInstance, services: Pick<Services, 'disabledFormats'>): void {
  const { disabledFormats } = services
  app.route({ ...endpoint('queryFormats'), handler: async () => toFormatList(await disabledFormats.rules()) })
  for (const operation of processingOperations) queryOperationFormatsRoute(app, services, operation)
}

function queryOperationFormatsRoute(
  app: FastifyInstance,
  { disabledFormats }: Pick<Services, 'disabledFormats'>,
  operation: ProcessingOperation,
): void {
  app.route({
    ...endpoint(`query${capitalize(operation)}Formats`),
    async handler(request) {
      const query = parseFormatsQuery(request.query as RawQuery)
      return toFormatList(await disabledFormats.rules(), operation, query)
    },
  })
}
