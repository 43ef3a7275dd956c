import { buffer } from 'node:stream/consumers'
import { parseId, planPreview, previewQuery, type RawQuery } from '@lathe/contract'
import { type FileRecord, findFile, findPreview, findTaskById, type PageOfFile, type TaskRecord } from '@lathe/database'
import { explainDisabled, findDisabled, invalidField, isOpen, Problem } from '@lathe/domain'
import { findFormat } from '@lathe/formats'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { creatorOf } from '../../creation.ts'
import { holdAnswer } from '../../hold-answer.ts'
import { clientSignal } from '../../http/client-signal.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'

const usualWaitS = 5
const retryAfterS = 1

// Far more than 512 × 512 pixels take, so that a preview is read into memory at once.
const mostBytes = 4 * 1024 ** 2

/** GET /v1/process/tasks/{taskId}/files/{file}/preview. */
export function showPreviewRoute(app: FastifyInstance, services: Services): void {
  app.route({
    ...endpoint('showPreview'),
    handler: async (request, reply) => {
      const shown = readPage(request)
      const { format } = await loadFile(services, request, shown)
      reply.header('retry-after', retryAfterS)
      const begun = await findOrCreate(services, request, shown, format)
      const preview = await holdAnswer(services, request, reply, {
        id: begun.id,
        current: begun,
        usualWaitS,
        look: () => findTaskById(services.database.pool, begun.id),
        isOver: ({ status }) => !isOpen(status),
      })
      if (preview && isOpen(preview.status)) return reply.code(202).send()
      reply.removeHeader('retry-after')
      return sendPreview(services, request, reply, preview)
    },
  })
}

function readPage(request: FastifyRequest): PageOfFile {
  const taskId = parseId(pathParam(request, 'taskId'), 'taskId')
  const given = pathParam(request, 'file')
  if (!/^[0-9]{1,9}$/.test(given))
    throw invalidField('file', 'must be the position of a file in `result.files`, from 0.')
  const { page = 1 } = previewQuery.read(request.query as RawQuery)
  return { taskId, file: Number(given), page }
}

async function loadFile(
  { database, clock }: Services,
  request: FastifyRequest,
  { taskId, file: n }: PageOfFile,
): Promise<FileRecord> {
  const now = clock.now()
  const found = await findFile(database.pool, { ownerId: callerOf(request).ownerId, taskId, file: n, now })
  if (!found) throw new Problem('not_found')
  const { status, file } = found
  if (status !== 'completed') {
    throw new Problem('not_found', { msg: `The task is ${status}. Only completed tasks have files with previews.` })
  }
  if (!file) throw new Problem('not_found', { msg: `file: the task has no file ${n}. Files are numbered from 0.` })
  if (file.deletedAt || file.expiresAt <= now) throw fileGone()
  return file
}

/** The task that makes the preview. Reads first: most previews exist, and creating one locks the owner. */
async function findOrCreate(
  { orchestrator, database, disabledFormats }: Services,
  request: FastifyRequest,
  shown: PageOfFile,
  format: string,
): Promise<TaskRecord> {
  const payload = planPreview(format, shown.page)
  const pair = { from: findFormat(format)?.ext ?? format, to: payload.output_format }
  const rule = findDisabled(await disabledFormats.rules(), pair)
  if (rule) throw new Problem('no_preview', { msg: explainDisabled(rule) })
  const previewId = await findPreview(database.pool, shown)
  const known = previewId && (await findTaskById(database.pool, previewId))
  return known || orchestrator.createPreview(creatorOf(request), { shown, format, payload: { ...payload } })
}

async function sendPreview(
  { store, clock }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  preview: TaskRecord | undefined,
): Promise<FastifyReply> {
  if (preview?.status === 'failed') throw new Problem('no_preview', { msg: `There is no preview: ${preview.msg}` })
  const [file] = preview?.files ?? []
  if (!file || file.deletedAt || file.expiresAt <= clock.now()) throw fileGone()
  if (file.size > mostBytes) throw new Error(`a preview of ${file.size} bytes`)
  const stream = await store.open(file.key, { signal: clientSignal(request, reply) })
  if (!stream) throw fileGone()
  const type = file.format === 'webp' ? 'image/webp' : 'image/jpeg'
  return reply
    .headers(previewHeaders)
    .type(type)
    .send(await buffer(stream))
}

// An engine made the image from a file of a stranger: a browser must only draw it.
const previewHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
}

function fileGone(): Problem {
  return new Problem('not_found', { msg: 'The file was deleted or has expired.' })
}
