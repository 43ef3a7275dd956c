import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathOf } from '../route-config.ts'
import type { Services } from '../services.ts'

// Other origins must not call the routes that accept cookies.
const closedPath = '/auth/'
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
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Offset',
    'Upload-Checksum',
    'X-HTTP-Method-Override',
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
    'Location',
    'Tus-Resumable',
    'Tus-Version',
    'Tus-Extension',
    'Tus-Max-Size',
    'Tus-Checksum-Algorithm',
    'Upload-Length',
    'Upload-Offset',
    'Upload-Expires',
  ],
  maxAge: 600,
}

/** Sets which origins may call: all for queries, uploads and downloads, elsewhere those the operator has configured. */
export async function addCors(app: FastifyInstance, { http }: Pick<Services, 'http'>): Promise<void> {
  await app.register(cors, {
    delegator: async (request: FastifyRequest) => {
      const path = pathOf(request)
      if (path.startsWith(closedPath)) return { ...shared, origin: false }
      const isOpen = openPaths.some((start) => path.startsWith(start))
      return { ...shared, origin: isOpen ? '*' : [...http.corsOrigins] }
    },
  })
}
