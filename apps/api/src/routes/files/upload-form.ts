import multipart from '@fastify/multipart'
import { toTaskView } from '@lathe/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { setIdleLimit } from '../../plugins/idle-guard.ts'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import type { UploadEntry } from '../../transfers/upload-entry.ts'
import { completeForm } from './complete-form.ts'
import { type OpenForm, toPassage } from './open-form.ts'
import { envelopeBytes, receiveUpload } from './receive-upload.ts'

type Parts = Pick<Services, 'http' | 'database' | 'orchestrator' | 'store' | 'links' | 'clock' | 'metrics'>

/** POST /v1/uploads/{taskId}/{token}: receives a form. */
export async function uploadFormRoute(app: FastifyInstance, entry: UploadEntry, parts: Parts): Promise<void> {
  // A separate scope, because no other endpoint reads multipart.
  await app.register(async (scope) => {
    await scope.register(multipart)
    scope.route({
      ...endpoint('uploadFile', { answersSlow: true, countsOwner: true }),
      handler: async (request, reply) => {
        if (bodyLength(request) > shortBodyBytes) reply.header('connection', 'close')
        const form = await entry.pass(request, reply, toPassage(request, parts))
        const { signal, release } = await entry.enter(request, reply, form)
        // An answer before the end of the body leaves the rest unread, so the connection cannot be reused.
        reply.header('connection', 'close')
        try {
          return await takeUpload(request, reply, form, { ...parts, signal })
        } finally {
          release()
        }
      },
    })
  })
}

// A connection that is closed with unread bytes is reset, and the sender may never see the error. So the server reads
// and discards a short body; a long one is not worth it.
const shortBodyBytes = 1024 * 1024

function bodyLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
}

/** The minimum size of a form's file, by the length of the request; the rest is boundaries and fields. */
function leastSize(request: FastifyRequest): number {
  const length = bodyLength(request)
  return Number.isFinite(length) ? Math.max(1, length - envelopeBytes) : 1
}

async function takeUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  form: OpenForm,
  parts: Parts & { readonly signal: AbortSignal },
) {
  setIdleLimit(request, parts.http.idleMs)
  await parts.orchestrator.requireStorage(form.ownerId, leastSize(request))
  const task = await completeForm(form, await receiveUpload(request, form, parts), parts)
  reply.removeHeader('connection')
  return reply.code(200).send(toTaskView(task, parts.links.at(parts.clock.now())))
}
