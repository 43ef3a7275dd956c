import { type AuditEntry, type AuditPage, auditQuery, type RawQuery, readPage, toPage } from '@lathe/contract'
import { type AuditRecord, findAuditNames, listAudit } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** GET /v1/audit. */
export function listAuditRoute(
  app: FastifyInstance,
  { database, counts }: Pick<Services, 'database' | 'counts'>,
): void {
  app.route({
    ...endpoint('listAudit'),
    handler: async (request): Promise<AuditPage> => {
      const { page, user, ...filter } = readPage(auditQuery, request.query as RawQuery)
      const { ownerId } = callerOf(request)
      const { docs, ...place } = await listAudit(database.pool, {
        ownerId,
        counts,
        ...filter,
        ...(user && { userId: user }),
      })
      const ids = new Set(docs.flatMap(({ userId, subjectId }) => [userId, subjectId].filter((id) => id !== null)))
      const names = await findAuditNames(database.pool, { ownerId, ids: [...ids] })
      return { ...toPage(docs.map(toView), { ...place, page, limit: filter.limit }), names: [...names] }
    },
  })
}

function toView({ ownerId: _, createdAt, ...entry }: AuditRecord): AuditEntry {
  return { ...entry, createdAt: createdAt.toISOString() }
}
