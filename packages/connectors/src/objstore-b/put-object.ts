import type { Readable } from 'node:stream'
import { failure } from '@lathe/domain'
import { type RequestAnswer, TransferFailed } from '@lathe/outbound'
import { afterGrace, cleanUpSignal } from '@lathe/runtime'
import { createBreaks } from '../breaks.ts'
import type { ExportFile } from '../connector.ts'
import { createFileParts } from '../file-parts.ts'
import { retryBroken } from '../retry-broken.ts'
import { sendBody } from '../send-body.ts'
import { readJson } from './answer.ts'
import type { Bucket } from './bucket.ts'

export interface ObjectPut {
  readonly name: string
  readonly file: ExportFile
  readonly signal: AbortSignal
  reached(bytes: number): void
}

/**
 * A multiple of 256 KiB, as the service requires. Streamed, so it costs no memory. At worst this much is sent again.
 */
const pieceSize = 16 * 2 ** 20

/** "Resume incomplete": the service has the bytes in `range`, and waits for more. */
const goesOn = 308

/** The service no longer knows the upload. The next attempt of the task begins a new one. */
const lost = [404, 410]

const expected = [200, 201, goesOn, ...lost]

/** Uploads a file in pieces that become visible only with the last one. Resumes at the offset the service reports. */
export async function putObject(bucket: Bucket, put: ObjectPut): Promise<void> {
  const session = await openUpload(bucket, put)
  try {
    await sendPieces(bucket, session, put)
  } catch (error) {
    // The first error is the one to report. The service drops an upload that is not canceled here after a week.
    await cancelUpload(bucket, session).catch(() => {})
    throw error
  }
}

async function openUpload(bucket: Bucket, { name, file, signal }: ObjectPut): Promise<string> {
  const query = new URLSearchParams({ uploadType: 'resumable', name })
  // Not aborted at once: an upload that was begun without our receiving its URL could not be canceled.
  using late = afterGrace(signal)
  const { headers, body } = await retryBroken(createBreaks(signal), 0, () =>
    bucket.ask(`${bucket.endpoint}/upload${bucket.path}?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-upload-content-length': String(file.size) },
      body: '{"contentType":"application/octet-stream"}',
      signal: late.signal,
      expect: [200],
    }),
  )
  body.destroy()
  const session = URL.parse(headers.location ?? '')
  // The token is sent to this URL too, so it must have the same origin.
  if (session?.origin === new URL(bucket.endpoint).origin) return session.href
  throw new TransferFailed(failure('source_refused', { detail: 'upload elsewhere' }))
}

async function sendPieces(bucket: Bucket, session: string, put: ObjectPut): Promise<void> {
  const { file, signal } = put
  using parts = createFileParts(file, put.reached)
  const breaks = createBreaks(signal)
  let start = 0
  for (;;) {
    try {
      const length = Math.min(pieceSize, file.size - start)
      const piece = { start, length, body: parts.read(start, length) }
      const answer = await sendPiece(bucket, session, put, piece)
      if (await isDone(answer, file.size)) return
      const kept = keptBytes(answer)
      if (kept <= start) throw broken('nothing was kept')
      start = kept
    } catch (error) {
      parts.rewind()
      await breaks.survive(error, start)
      const answer = await retryBroken(breaks, start, () => askHowFar(bucket, session, put))
      if (await isDone(answer, file.size)) return
      start = keptBytes(answer)
    }
  }
}

interface Piece {
  readonly start: number
  readonly length: number
  readonly body: Readable
}

function sendPiece(
  bucket: Bucket,
  session: string,
  { file, signal }: ObjectPut,
  { start, length, body }: Piece,
): Promise<RequestAnswer> {
  const range = length === 0 ? '*' : `${start}-${start + length - 1}`
  const headers = { 'content-length': String(length), 'content-range': `bytes ${range}/${file.size}` }
  return sendBody(body, signal, (until) =>
    bucket.ask(session, {
      method: 'PUT',
      headers,
      ...(length > 0 && { body }),
      signal: until,
      expect: expected,
    }),
  )
}

function askHowFar(bucket: Bucket, session: string, { file, signal }: ObjectPut): Promise<RequestAnswer> {
  const headers = { 'content-length': '0', 'content-range': `bytes */${file.size}` }
  return bucket.ask(session, { method: 'PUT', headers, signal, expect: expected })
}

/** `range: bytes=0-99` means that 100 bytes are stored. Without it, none are. */
function keptBytes({ headers }: RequestAnswer): number {
  const last = /^bytes=0-(\d+)$/.exec(headers.range ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}

async function isDone(answer: RequestAnswer, size: number): Promise<boolean> {
  const { size: kept } = await readJson(answer)
  if (answer.status === goesOn) return false
  if (lost.includes(answer.status)) throw broken('the upload is gone')
  if (kept === undefined || Number(kept) === size) return true
  throw new TransferFailed(failure('source_refused', { detail: 'another size was kept' }))
}

function broken(detail: string): TransferFailed {
  return new TransferFailed(failure('source_unreachable', { detail }))
}

async function cancelUpload(bucket: Bucket, session: string): Promise<void> {
  const signal = cleanUpSignal()
  // The service confirms a cancellation with 499. An upload that no longer exists counts as canceled too.
  const ask = () => bucket.ask(session, { method: 'DELETE', signal, expect: [200, 204, 499, ...lost] })
  const { body } = await retryBroken(createBreaks(signal), 0, ask)
  body.destroy()
}
