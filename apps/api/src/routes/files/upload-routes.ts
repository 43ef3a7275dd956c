import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'
import { createUploadEntry } from '../../transfers/upload-entry.ts'
import { resumableRoutes } from './resumable/resumable-routes.ts'
import { uploadFormRoute } from './upload-form.ts'

/** Receives files, in one request or resumable. Both use the same slots. */
export async function uploadRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const entry = createUploadEntry(services)
  await uploadFormRoute(app, entry, services)
  await resumableRoutes(app, { ...services, entry })
}
