import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathOf } from '../route-config.ts'
import type { Services } from '../services.ts'

const openPaths = ['/v1/query/', '/v1/uploads/', '/v1/files/']

const shared = {
  strictPreflight: false,
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Accept',
    'Idempotency-Key',
    'Prefer',
    'Range',
    'If-Range',
    'Last-Event-ID',
  ],
  exposedHeaders: [
    'X-Request-Id',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'Content-Disposition',
    'Content-Range',
    'ETag',
    'Preference-Applied',
    'Idempotency-Replayed',
  ],
  maxAge: 600,
}

/** Says which pages may call: anyone's for queries, uploads and downloads, elsewhere those the operator named. */
export async function addCors(app: FastifyInstance, { http }: Pick<Services, 'http'>): Promise<void> {
  await app.register(cors, {
    delegator: async (request: FastifyRequest) => {
      const isOpen = openPaths.some((start) => pathOf(request).startsWith(start))
      return { ...shared, origin: isOpen ? '*' : [...http.corsOrigins] }
    },
  })
}
