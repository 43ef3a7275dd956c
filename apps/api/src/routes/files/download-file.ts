import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { archiveName, parseId, type RawQuery } from '@lathe/contract'
import { type FileRecord, findLinkedFiles, type LinkedFiles } from '@lathe/database'
import { invalidField, type ObjectId, Problem } from '@lathe/domain'
import { createTransferSlots, type Transfer, type TransferSlots } from '@lathe/runtime'
import { type ByteRange, type ObjectStore, planArchive } from '@lathe/storage'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { attachment, parseRange } from '../../http/headers.ts'
import { idleReaderMs, setIdleLimit } from '../../plugins/idle-guard.ts'
import { endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { createOwnerGate, type Passage } from '../../transfers/owner-gate.ts'
import { downloadLimits } from '../../transfers/transfer-limits.ts'

type Parts = Pick<Services, 'http' | 'database' | 'store' | 'links' | 'clock' | 'metrics' | 'limiter'>

/** Content that can be sent whole or in part. */
interface Download {
  readonly ownerId: ObjectId
  /** The same for all users of the link. */
  readonly link: string
  readonly filename: string
  readonly size: number
  readonly etag: string
  open(range: ByteRange | undefined, signal: AbortSignal): Promise<Readable>
}

// When a client that got no slot may try again.
const retryAfterS = 5

/** GET /v1/files/{taskId}/{file}, with or without a name at its end. */
export function downloadFileRoutes(app: FastifyInstance, parts: Parts): void {
  const { downloads, admissionsRefused } = parts.metrics
  const slots = createTransferSlots(
    downloadLimits(parts.http),
    (size) => downloads.set(size),
    () => admissionsRefused.inc({ reason: 'downloads' }),
  )
  const pass = createOwnerGate(parts, slots)
  for (const name of ['downloadFile', 'downloadNamedFile'] as const) {
    app.route({
      ...endpoint(name, { countsOwner: true }),
      method: ['GET', 'HEAD'],
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const download = await pass(request, reply, toPassage(request, parts))
        return sendDownload(request, reply, download, { ...parts, slots })
      },
    })
  }
}

/** Finds the content of a link. Only a link with our signature gets the error that it has expired. */
function toPassage(request: FastifyRequest, { database, store, links, clock }: Parts): Passage<Download> {
  const taskId = parseId(pathParam(request, 'taskId'), 'taskId')
  const name = pathParam(request, 'file')
  const { expires, signature, generation: given } = request.query as RawQuery
  const file = name === 'archive' ? name : Number(name)
  const generation = given === undefined ? 0 : Number(given)
  const link = { taskId, file, expiresAt: new Date(Number(expires) * 1000), generation } as const
  const now = clock.now()
  return {
    taskId,
    verify() {
      if (typeof signature !== 'string') throw new Problem('not_found')
      if (links.isOurLink(link, signature, now)) return
      const wasOurs = links.isOurLink(link, signature, new Date(link.expiresAt.getTime() - 1000))
      throw new Problem(wasOurs ? 'link_expired' : 'not_found')
    },
    async find() {
      const linked = await findLinkedFiles(database.pool, { taskId, now, ...(file !== 'archive' && { n: file }) })
      if (!linked || linked.files.length === 0) throw fileGone()
      if (linked.linkGeneration !== generation) throw linkVoid()
      const use = { ownerId: linked.ownerId, link: `${taskId}/${file}` }
      if (file === 'archive') return { ...use, ...toArchive(store, linked) }
      const [record] = linked.files
      if (!record) throw fileGone()
      return { ...use, ...toDownload(store, record) }
    },
  }
}

function fileGone(): Problem {
  return new Problem('not_found', { msg: 'The file of this link was deleted.' })
}

function linkVoid(): Problem {
  const msg = 'The link is void: an API key of its owner was revoked. Links that the task shows now work.'
  return new Problem('not_found', { msg })
}

type Content = Omit<Download, 'ownerId' | 'link'>

function toDownload(store: ObjectStore, { key, filename, size, sha256 }: FileRecord): Content {
  return { filename, size, etag: sha256, open: (range, signal) => openObject(store, key, range, signal) }
}

function toArchive(store: ObjectStore, { files, payload, name, createdAt }: LinkedFiles): Content {
  const entries = files.map(({ key, filename, folder, size, crc32 }) => ({
    name: filename,
    folder: folder ?? '',
    size,
    crc32,
    open: (range: ByteRange | undefined, signal: AbortSignal) => openObject(store, key, range, signal),
  }))
  const archive = planArchive(entries, createdAt)
  const contents = files.map(({ folder, filename, sha256 }) => `${sha256} ${folder ?? ''}/${filename}`).join('\n')
  return {
    filename: archiveName({ name, payload, files }),
    size: archive.size,
    etag: createHash('sha256').update(contents).digest('hex'),
    open: async (range, signal) => archive.stream(range, signal),
  }
}

async function openObject(store: ObjectStore, key: string, range: ByteRange | undefined, signal: AbortSignal) {
  const stream = await store.open(key, { signal, forClient: true, ...(range && { range }) })
  if (!stream) throw fileGone()
  return stream
}

async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
  { metrics, slots }: Pick<Parts, 'metrics'> & { readonly slots: TransferSlots },
): Promise<FastifyReply> {
  const range = wantedRange(request, reply, download)
  const length = range ? range.end - range.start + 1 : download.size
  if (request.method === 'HEAD' || length === 0) return announce(reply, download, range, length).send()
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(new Problem('invalid_request', { msg: 'The client has gone.' })))
  reply.header('retry-after', retryAfterS)
  const release = await slots.enter(toTransfer(reply, download), gone.signal)
  reply.removeHeader('retry-after')
  try {
    const stream = await download.open(range, gone.signal)
    stream.once('end', () => metrics.downloadedBytes.inc(length)).once('close', release)
    reply.raw.once('close', release)
    setIdleLimit(request, idleReaderMs)
    return announce(reply, download, range, length).send(stream)
  } catch (error) {
    release()
    throw error
  }
}

function announce(reply: FastifyReply, download: Download, range: ByteRange | undefined, length: number): FastifyReply {
  reply.headers({ ...downloadHeaders(download), 'content-length': length })
  return range ? reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${download.size}`) : reply
}

function toTransfer({ raw }: FastifyReply, { ownerId, link }: Download): Transfer {
  return {
    ownerId,
    item: link,
    // Bytes in our buffer do not count as received. An injected request has no connection and no rate.
    moved: () => (raw.socket?.bytesWritten ?? 0) - (raw.socket?.writableLength ?? 0),
    isHeldUp: () => (raw.socket?.writableLength ?? 0) === 0,
    end: () => void raw.destroy(),
  }
}

function wantedRange({ method, headers }: FastifyRequest, reply: FastifyReply, { size, etag }: Download) {
  // RFC 9110: ranges are for GET only, and If-Range applies them only if the content is unchanged.
  const condition = headers['if-range']
  if (method !== 'GET' || (condition !== undefined && condition !== `"${etag}"`)) return undefined
  const range = parseRange(headers.range, size)
  if (range !== 'unsatisfiable') return range
  reply.header('content-range', `bytes */${size}`)
  throw invalidField('Range', `asks for bytes past the end. The content has ${size} bytes.`)
}

// Files come from untrusted users: a browser must only save them.
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
