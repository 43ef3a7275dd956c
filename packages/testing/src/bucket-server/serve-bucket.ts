import { createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { BucketObjects, StoredObject, Upload } from './bucket-objects.ts'

/** Sends an object, or the requested range of it. */
export async function sendObject(request: IncomingMessage, response: ServerResponse, object: StoredObject) {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  if (from > 0 && from >= object.size) return refuse(response, 416, 'requestedRangeNotSatisfiable')
  const { size, generation, file } = object
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': size - from,
    'x-goog-generation': generation,
    ...(from > 0 && { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
  })
  await pipeline(createReadStream(file, { start: from }), response).catch(() => response.destroy())
}

/** Stores a chunk of an upload, or reports how many bytes have arrived. */
export async function takePiece(
  request: IncomingMessage,
  response: ServerResponse,
  contents: BucketObjects,
  upload: Upload,
) {
  const [, start, end, total] = /^bytes (?:\*|(\d+)-(\d+))\/(\d+)$/.exec(request.headers['content-range'] ?? '') ?? []
  if (total === undefined) return refuse(response, 400, 'invalid')
  if (start !== undefined) {
    if (Number(start) !== upload.kept) return refuse(response, 503, 'backendError')
    await contents.append(upload, request)
  }
  const isLast = upload.kept === Number(total) && (end === undefined || Number(end) + 1 === Number(total))
  if (!isLast) {
    const range = upload.kept > 0 ? { range: `bytes=0-${upload.kept - 1}` } : {}
    return response.writeHead(308, range).end()
  }
  const { size, generation } = await contents.finish(upload)
  return sendJson(response, 200, { name: upload.name, size: String(size), generation: String(generation) })
}

/** An error in the form of the JSON API. */
export function refuse(response: ServerResponse, status: number, reason: string) {
  return sendJson(response, status, { error: { code: status, message: reason, errors: [{ reason }] } })
}

export function sendJson(response: ServerResponse, status: number, body: unknown) {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
