import { randomBytes } from 'node:crypto'
import { limits } from '@lathe/contract'
import { deleteResumables, findUploadParts, type ResumableUpload } from '@lathe/database'
import { filesExpireAt, Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { eraseNow } from '../../../erase-now.ts'
import { setIdleLimit } from '../../../plugins/idle-guard.ts'
import { endpoint } from '../../../route-config.ts'
import type { Services } from '../../../services.ts'
import type { UploadEntry } from '../../../transfers/upload-entry.ts'
import { nameFor, refuseTooLarge, requireSignature } from '../check-form.ts'
import { loadOpenForm, toPassage } from '../open-form.ts'
import { toUpload } from './find-upload.ts'
import { finishUpload } from './finish-upload.ts'
import { createPieceReader } from './piece-reader.ts'
import { receiveChecked, receiveParts } from './receive-parts.ts'
import { readChecksum, readCount, readMetadata, requireBytes, requireTus, tusVersion } from './tus-headers.ts'

type Parts = Pick<Services, 'http' | 'database' | 'orchestrator' | 'store' | 'links' | 'clock' | 'metrics'> & {
  readonly entry: UploadEntry
}

/** /v1/uploads/{taskId}/{token}/tus: resumable uploads with the tus protocol. */
export async function resumableRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  await app.register(async (scope) => {
    // The handler reads the bytes.
    scope.addContentTypeParser('application/offset+octet-stream', async (_: unknown, body: unknown) => body)
    scope.addHook('onRequest', async ({ method, headers }, reply) => {
      reply.header('tus-resumable', tusVersion).header('cache-control', 'no-store')
      requireTus(headers)
      if (method === 'PATCH') requireBytes(headers)
    })
    startRoute(scope, parts)
    showRoute(scope, parts)
    continueRoute(scope, parts)
    abandonRoute(scope, parts)
  })
}

function startRoute(app: FastifyInstance, parts: Parts): void {
  app.route({
    ...endpoint('startUpload', { countsOwner: true }),
    handler: async (request, reply) => {
      const length = readCount(request.headers, 'Upload-Length')
      const metadata = readMetadata(request.headers)
      const form = await parts.entry.pass(request, reply, toPassage(request, parts))
      requireSignature(metadata.get('signature'), form, parts.links)
      refuseTooLarge(length, parts.http)
      const id = randomBytes(16).toString('hex')
      const upload = { taskId: form.id, id, filename: nameFor(form, metadata.get('filename')), length }
      const more = { ownerId: form.ownerId, expiresAt: filesExpireAt(form.createdAt) }
      const stale = await parts.orchestrator.startResumable({ ...upload, ...more })
      await eraseNow(parts.store, stale, request.log)
      if (length === 0) await finishUpload(form, upload, request.log, parts)
      const { tusUrl } = parts.links.at(parts.clock.now()).form(form)
      const standing = standingOf({ ...upload, ...more, received: 0, parts: 0, movedAt: parts.clock.now() }, parts)
      return reply.code(201).header('location', `${tusUrl}/${id}`).headers(standing).send()
    },
  })
}

function showRoute(app: FastifyInstance, parts: Parts): void {
  app.route({
    ...endpoint('showUpload', { countsOwner: true }),
    handler: async (request, reply) => {
      const { task, upload } = await parts.entry.pass(request, reply, toUpload(request, parts))
      // The file came another way: through the form, or by another upload.
      if (task.status === 'completed' && upload.received !== upload.length) throw new Problem('form_used')
      if (task.status !== 'completed') {
        const form = await loadOpenForm(parts.database, task.id)
        // A sender that sees all bytes received does not come back.
        const isWhole = upload.received === upload.length
        if (isWhole) await alone(request, reply, form, parts, () => finishUpload(form, upload, request.log, parts))
      }
      return reply.code(200).headers(standingOf(upload, parts)).send()
    },
  })
}

function continueRoute(app: FastifyInstance, parts: Parts): void {
  app.route({
    ...endpoint('continueUpload', { answersSlow: true, countsOwner: true }),
    handler: async (request, reply) => {
      const offset = readCount(request.headers, 'Upload-Offset')
      const checksum = readChecksum(request.headers)
      const { task } = await parts.entry.pass(request, reply, toUpload(request, parts))
      const form = await loadOpenForm(parts.database, task.id)
      // An answer before the end of the body leaves the rest unread, so the connection cannot be reused.
      reply.header('connection', 'close')
      return alone(request, reply, form, parts, async (signal) => {
        const upload = await findAt(offset, request, reply, parts)
        setIdleLimit(request, parts.http.idleMs)
        const reader = createPieceReader(request.raw, signal)
        const received = await (checksum
          ? receiveChecked(upload, reader, checksum, parts)
          : receiveParts(upload, reader, parts))
        setIdleLimit(request, 0)
        if (received === upload.length) await finishUpload(form, upload, request.log, parts)
        else if (reader.fault !== undefined) throw reader.fault
        if (request.raw.complete) reply.removeHeader('connection')
        return reply
          .code(204)
          .headers(standingOf({ ...upload, received, movedAt: parts.clock.now() }, parts))
          .send()
      })
    },
  })
}

function abandonRoute(app: FastifyInstance, parts: Parts): void {
  app.route({
    ...endpoint('abandonUpload', { countsOwner: true }),
    handler: async (request, reply) => {
      const { task, upload } = await parts.entry.pass(request, reply, toUpload(request, parts))
      await alone(request, reply, task, parts, async () => {
        const pieces = await findUploadParts(parts.database.pool, upload)
        await deleteResumables(parts.database.pool, [upload.taskId])
        const keys = pieces.map(({ key }) => key)
        await eraseNow(parts.store, keys, request.log)
      })
      return reply.code(204).send()
    },
  })
}

/**
 * Runs `work` while no other request of this process works on the upload. Requests in other processes are detected by
 * their offset.
 */
async function alone<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  form: Parameters<UploadEntry['enter']>[2],
  { entry }: Parts,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, release } = await entry.enter(request, reply, form).catch((error) => {
    throw error instanceof Problem && error.code === 'form_busy' ? new Problem('upload_busy') : error
  })
  try {
    return await work(signal)
  } finally {
    release()
  }
}

/** The current upload, if its offset is where the body starts and it has room for the whole body. */
async function findAt(
  offset: number,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Parts,
): Promise<ResumableUpload> {
  const { upload } = await toUpload(request, parts).find()
  const { received, length, parts: count } = upload
  if (received !== offset) {
    reply.header('upload-offset', received)
    throw new Problem('upload_moved')
  }
  if (offset + Number(request.headers['content-length'] ?? 0) > length) {
    throw new Problem('body_too_large', { msg: `The upload has ${length} bytes, and these would be more.` })
  }
  if (count >= limits.partsPerUpload) {
    const least = Math.ceil(length / limits.partsPerUpload)
    const msg = `The upload has ${limits.partsPerUpload} parts, which is the limit. Start again, and send at least ${least} bytes at a time.`
    throw new Problem('invalid_request', { msg })
  }
  return upload
}

function standingOf(upload: ResumableUpload, { http }: Parts) {
  const { received, length, movedAt, expiresAt } = upload
  const endsAt = Math.min(movedAt.getTime() + http.uploadTimeoutMs, expiresAt.getTime())
  return { 'upload-offset': received, 'upload-length': length, 'upload-expires': new Date(endsAt).toUTCString() }
}
