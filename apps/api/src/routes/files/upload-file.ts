import multipart from '@fastify/multipart'
import { parseId, toTaskView } from '@lathe/contract'
import { findTaskById } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { setIdleLimit } from '../../plugins/idle-guard.ts'
import { envelopeBytes, receiveUpload } from '../../receive-upload.ts'
import { endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { createOwnerGate, type Passage } from '../../transfers/owner-gate.ts'
import { uploadLimits } from '../../transfers/transfer-limits.ts'
import { createTransferSlots, type EndCause, type Transfer } from '../../transfers/transfer-slots.ts'

type Parts = Pick<Services, 'http' | 'database' | 'orchestrator' | 'store' | 'links' | 'clock' | 'metrics' | 'limiter'>

// When somebody who found no slot, or a form in use, may try again.
const retryAfterS = 5

/** POST /v1/uploads/{taskId}/{token}: where a form is sent. */
export async function uploadFileRoute(app: FastifyInstance, parts: Parts): Promise<void> {
  const { uploads, admissionsRefused } = parts.metrics
  const slots = createTransferSlots(
    uploadLimits(parts.http),
    (size) => uploads.set(size),
    () => admissionsRefused.inc({ reason: 'uploads' }),
  )
  const pass = createOwnerGate(parts, slots)
  // In a scope of its own: no other endpoint reads multipart.
  await app.register(async (scope) => {
    await scope.register(multipart)
    scope.route({
      ...endpoint('uploadFile', { answersSlow: true, countsOwner: true }),
      handler: async (request, reply) => {
        if (bodyLength(request) > shortBodyBytes) reply.header('connection', 'close')
        const form = await pass(request, reply, toPassage(request, parts))
        const over = new AbortController()
        const breakOff = () => over.abort(new Problem('invalid_request', { msg: 'The upload broke off.' }))
        reply.raw.once('close', breakOff)
        // One that has closed already tells nobody any more.
        if (request.raw.socket.destroyed) breakOff()
        reply.header('retry-after', retryAfterS)
        const release = await slots.enter(toTransfer(request, form, over), over.signal)
        reply.removeHeader('retry-after')
        // What is left to do then is short; the sender may be back before it is done.
        over.signal.addEventListener('abort', release)
        // An answer before the end of the body leaves the rest unread: the connection cannot be used again.
        reply.header('connection', 'close')
        try {
          return await takeUpload(request, reply, form, { ...parts, signal: over.signal })
        } finally {
          release()
        }
      },
    })
  })
}

function toTransfer({ raw }: FastifyRequest, { id, ownerId }: OpenForm, over: AbortController): Transfer {
  return {
    ownerId,
    item: id,
    moved: () => raw.socket.bytesRead,
    // Once all of it has come, only the store is waited for.
    isHeldUp: () => raw.complete || raw.readableLength > 0,
    end: (cause) => over.abort(new Problem('upload_too_slow', { msg: endings[cause] })),
  }
}

const endings: Readonly<Record<EndCause, string>> = {
  too_slow: 'The file arrived too slowly. Send it again over a faster connection.',
  too_long: 'The upload took longer than the service allows. Send a smaller file, or over a faster connection.',
  gave_way: 'The service has no free slots for uploads, and this one was the slowest. Send the file again later.',
}

// A connection closed on unread bytes is reset, and the sender may never see why it was refused. So a
// short body is read and forgotten, which the server does by itself; a long one is not worth it.
const shortBodyBytes = 1024 * 1024

function bodyLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
}

/** What the file of a form has at least, by the length of the request; the rest are boundaries and fields. */
function leastSize(request: FastifyRequest): number {
  const length = bodyLength(request)
  return Number.isFinite(length) ? Math.max(1, length - envelopeBytes) : 1
}

interface OpenForm {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly jobId: ObjectId | null
  readonly payload: Readonly<Record<string, unknown>>
}

/** The way to a form that still waits for its file. Only who has the form's address is told why it does not. */
function toPassage(request: FastifyRequest, { database, links }: Parts): Passage<OpenForm> {
  const taskId = parseId(pathParam(request, 'taskId'), 'taskId')
  return {
    taskId,
    verify() {
      if (!links.isUploadToken(taskId, pathParam(request, 'token'))) throw new Problem('not_found')
    },
    find: () => loadOpenForm(database, taskId),
  }
}

async function loadOpenForm(database: Parts['database'], id: ObjectId): Promise<OpenForm> {
  const task = await findTaskById(database.pool, id)
  if (task?.status === 'processing') return task
  if (task?.status === 'completed') throw new Problem('form_used')
  if (!task || task.reason === 'upload_timeout') throw new Problem('form_expired')
  throw new Problem('not_found', { msg: 'The upload was canceled or deleted. Create another import/upload task.' })
}

async function takeUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  form: OpenForm,
  parts: Parts & { readonly signal: AbortSignal },
) {
  const { orchestrator, store, links, clock, metrics } = parts
  setIdleLimit(request, parts.http.idleMs)
  await orchestrator.requireStorage(form.ownerId, leastSize(request))
  const file = await receiveUpload(request, form, parts)
  metrics.uploadedBytes.inc(file.size)
  // If this throws, nobody knows whether it was committed: the bytes stay until their prefix expires. Only if the owner
  // may not store them it is known.
  const standing = { ownerId: form.ownerId, isLone: form.jobId === null }
  const task = await orchestrator.completeUpload(form.id, file, standing).catch(async (error) => {
    if (error instanceof Problem && error.code === 'out_of_storage') await store.delete([file.key])
    throw error
  })
  if (!task) {
    await store.delete([file.key])
    await loadOpenForm(parts.database, form.id)
    throw new Problem('form_used')
  }
  reply.removeHeader('connection')
  return reply.code(200).send(toTaskView(task, links.at(clock.now())))
}
