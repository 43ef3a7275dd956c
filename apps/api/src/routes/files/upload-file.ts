import multipart from '@fastify/multipart'
import { parseId, toTaskView } from '@lathe/contract'
import { findTaskById } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { setIdleLimit } from '../../plugins/idle-guard.ts'
import { refuse } from '../../plugins/rate-limit.ts'
import { receiveUpload } from '../../receive-upload.ts'
import { endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'

type Parts = Pick<Services, 'http' | 'database' | 'orchestrator' | 'store' | 'links' | 'clock' | 'metrics'>

/** POST /v1/uploads/{taskId}/{token}: where a form is sent. */
export async function uploadFileRoute(app: FastifyInstance, parts: Parts): Promise<void> {
  let underWay = 0
  // In a scope of its own: no other endpoint reads multipart.
  await app.register(async (scope) => {
    await scope.register(multipart)
    scope.route({
      ...endpoint('uploadFile'),
      handler: async (request, reply) => {
        if (bodyLength(request) > shortBodyBytes) reply.header('connection', 'close')
        const task = await findOpenForm(request, parts)
        if (underWay >= parts.http.uploadsAtOnce) refuse(reply, { resetS: 5 })
        // An answer before the end of the body leaves the rest unread: the connection cannot be used again.
        reply.header('connection', 'close')
        parts.metrics.uploads.set(++underWay)
        try {
          return await takeUpload(request, reply, task, parts)
        } finally {
          parts.metrics.uploads.set(--underWay)
        }
      },
    })
  })
}

// A connection closed on unread bytes is reset, and the sender may never see why it was refused. So a
// short body is read and forgotten, which the server does by itself; a long one is not worth it.
const shortBodyBytes = 1024 * 1024

function bodyLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
}

interface OpenForm {
  readonly id: ObjectId
  readonly payload: Readonly<Record<string, unknown>>
}

/** The task of a form that still waits for its file. Only who has the form's address is told why it does not. */
async function findOpenForm(request: FastifyRequest, { database, links }: Parts): Promise<OpenForm> {
  const id = parseId(pathParam(request, 'taskId'), 'taskId')
  if (!links.isUploadToken(id, pathParam(request, 'token'))) throw new Problem('not_found')
  return loadOpenForm(database, id)
}

async function loadOpenForm(database: Parts['database'], id: ObjectId): Promise<OpenForm> {
  const task = await findTaskById(database.pool, id)
  if (task?.status === 'processing') return task
  if (task?.status === 'completed') throw new Problem('form_used')
  if (!task || task.reason === 'upload_timeout') throw new Problem('form_expired')
  throw new Problem('not_found', { msg: 'The upload was canceled or deleted. Create another import/upload task.' })
}

async function takeUpload(request: FastifyRequest, reply: FastifyReply, form: OpenForm, parts: Parts) {
  const { orchestrator, store, links, clock, metrics } = parts
  setIdleLimit(request, parts.http.idleMs)
  const file = await receiveUpload(request, form, parts)
  metrics.uploadedBytes.inc(file.size)
  // If this throws, nobody knows whether it was committed: the bytes stay until their prefix expires.
  const task = await orchestrator.completeUpload(form.id, file)
  if (!task) {
    await store.delete([file.key])
    await loadOpenForm(parts.database, form.id)
    throw new Problem('form_used')
  }
  reply.removeHeader('connection')
  return reply.code(200).send(toTaskView(task, links.at(clock.now())))
}
