import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { archiveName, parseId, type RawQuery } from '@lathe/contract'
import { type FileRecord, findLinkedFiles } from '@lathe/database'
import { invalidField, Problem } from '@lathe/domain'
import { type ByteRange, type ObjectStore, planArchive } from '@lathe/storage'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attachment } from '../../http/content-disposition.ts'
import { parseRange } from '../../http/range.ts'
import { setIdleLimit } from '../../plugins/idle-guard.ts'
import { endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'

type Parts = Pick<Services, 'database' | 'store' | 'links' | 'clock' | 'metrics'>

/** Bytes that can be sent whole or in part. */
interface Download {
  readonly filename: string
  readonly size: number
  readonly etag: string
  open(range: ByteRange | undefined, signal: AbortSignal): Promise<Readable>
}

// A reader that takes nothing for this long has gone; its stream must not hold a connection to the store.
const idleReaderMs = 120_000

/** GET /v1/files/{taskId}/{file}, with or without a name at its end. */
export function downloadFileRoutes(app: FastifyInstance, parts: Parts): void {
  for (const name of ['downloadFile', 'downloadNamedFile'] as const) {
    app.route({
      ...endpoint(name),
      method: ['GET', 'HEAD'],
      exposeHeadRoute: false,
      handler: async (request, reply) => sendDownload(request, reply, await findDownload(request, parts), parts),
    })
  }
}

/** What a link leads to. Only a link that we have signed is told that it has expired. */
async function findDownload(request: FastifyRequest, { database, store, links, clock }: Parts): Promise<Download> {
  const taskId = parseId(pathParam(request, 'taskId'), 'taskId')
  const file = pathParam(request, 'file')
  const { expires, signature } = request.query as RawQuery
  const link = {
    taskId,
    file: file === 'archive' ? file : Number(file),
    expiresAt: new Date(Number(expires) * 1000),
  } as const
  const now = clock.now()
  if (typeof signature !== 'string') throw new Problem('not_found')
  if (!links.isOurLink(link, signature, now)) {
    const wasOurs = links.isOurLink(link, signature, new Date(link.expiresAt.getTime() - 1000))
    throw new Problem(wasOurs ? 'link_expired' : 'not_found')
  }
  const linked = await findLinkedFiles(database.pool, { taskId, now })
  if (!linked || linked.files.length === 0) throw fileGone()
  if (link.file === 'archive') return toArchive(store, linked)
  const record = linked.files.find(({ n }) => n === link.file)
  if (!record) throw fileGone()
  return toDownload(store, record)
}

function fileGone(): Problem {
  return new Problem('not_found', { msg: 'The file of this link was deleted.' })
}

function toDownload(store: ObjectStore, { key, filename, size, sha256 }: FileRecord): Download {
  return { filename, size, etag: sha256, open: (range, signal) => openObject(store, key, range, signal) }
}

interface LinkedFiles {
  readonly files: readonly FileRecord[]
  readonly payload: Record<string, unknown>
  readonly name: string
  readonly createdAt: Date
}

function toArchive(store: ObjectStore, { files, payload, name, createdAt }: LinkedFiles): Download {
  const entries = files.map(({ key, filename, size, crc32 }) => ({
    name: filename,
    size,
    crc32,
    open: (range: ByteRange | undefined, signal: AbortSignal) => openObject(store, key, range, signal),
  }))
  const archive = planArchive(entries, createdAt)
  const contents = files.map(({ filename, sha256 }) => `${sha256} ${filename}`).join('\n')
  return {
    filename: archiveName({ name, payload }),
    size: archive.size,
    etag: createHash('sha256').update(contents).digest('hex'),
    open: async (range, signal) => archive.stream(range, signal),
  }
}

async function openObject(store: ObjectStore, key: string, range: ByteRange | undefined, signal: AbortSignal) {
  const stream = await store.open(key, { signal, ...(range && { range }) })
  if (!stream) throw fileGone()
  return stream
}

async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
  { metrics }: Pick<Parts, 'metrics'>,
): Promise<FastifyReply> {
  const range = wantedRange(request, reply, download)
  const length = range ? range.end - range.start + 1 : download.size
  reply.headers({ ...downloadHeaders(download), 'content-length': length })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${download.size}`)
  if (request.method === 'HEAD') return reply.send()
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  setIdleLimit(request, idleReaderMs)
  const stream = length === 0 ? '' : await download.open(range, gone.signal)
  if (typeof stream !== 'string') stream.once('end', () => metrics.downloadedBytes.inc(length))
  return reply.send(stream)
}

function wantedRange({ method, headers }: FastifyRequest, reply: FastifyReply, { size, etag }: Download) {
  // RFC 9110: a range is for GET only, and If-Range asks for it only if the content is still the same.
  const condition = headers['if-range']
  if (method !== 'GET' || (condition !== undefined && condition !== `"${etag}"`)) return undefined
  const range = parseRange(headers.range, size)
  if (range !== 'unsatisfiable') return range
  reply.header('content-range', `bytes */${size}`)
  throw invalidField('Range', `asks for bytes past the end. The content has ${size} bytes.`)
}

// A file of a stranger must do nothing in a browser but be saved.
function downloadHeaders({ filename, etag }: Download) {
  return {
    'content-type': 'application/octet-stream',
    'content-disposition': attachment(filename),
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag: `"${etag}"`,
  }
}
