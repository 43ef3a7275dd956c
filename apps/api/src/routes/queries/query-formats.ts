import { findNamed, parseFormatsQuery, type RawQuery, toFormatList } from '@lathe/contract'
import { type ProcessingOperation, processingOperations } from '@lathe/operations'
import type { FastifyInstance } from 'fastify'
import { capitalize } from '../../http/capitalize.ts'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** GET /v1/query/formats, and one for each operation. */
export function queryFormatsRoutes(
  app: FastifyInstance,
  services: Pick<Services, 'disabledFormats' | 'pairRates'>,
): void {
  const { disabledFormats } = services
  app.route({ ...endpoint('queryFormats'), handler: async () => toFormatList(await disabledFormats.rules()) })
  for (const operation of processingOperations) queryOperationFormatsRoute(app, services, operation)
}

function queryOperationFormatsRoute(
  app: FastifyInstance,
  { disabledFormats, pairRates }: Pick<Services, 'disabledFormats' | 'pairRates'>,
  operation: ProcessingOperation,
): void {
  app.route({
    ...endpoint(`query${capitalize(operation)}Formats`),
    async handler(request) {
      const query = parseFormatsQuery(request.query as RawQuery)
      // Without a format there is no pair to report on.
      const read = findNamed(query) === undefined ? undefined : pairRates()
      const [rules, rates] = await Promise.all([disabledFormats.rules(), read])
      return toFormatList(rules, operation, query, rates)
    },
  })
}
