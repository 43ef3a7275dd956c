import { randomBytes } from 'node:crypto'
import type { MultipartFile } from '@fastify/multipart'
import type { NewFile } from '@lathe/database'
import { invalidField, Problem } from '@lathe/domain'
import { createHeadWatch } from '@lathe/formats'
import { objectKey, SizeExceeded } from '@lathe/storage'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../../services.ts'
import { nameFor, refuseTooLarge, requireSignature, tooLarge } from './check-form.ts'
import type { OpenForm } from './open-form.ts'

type Parts = Pick<Services, 'http' | 'store' | 'links'> & {
  /** Aborted when the sender has gone, or was too slow. */
  readonly signal: AbortSignal
}

// Forms contain a signature and one file; a second file is accepted only to report it as an error.
const formLimits = { fieldNameSize: 100, fieldSize: 4096, fields: 50, files: 2, parts: 60, headerPairs: 100 }
// Size that boundaries and fields may add to the file.
export const envelopeBytes = 1024 * 1024

/**
 * Streams a form's file to storage and checks the form, in any order of its parts. A refused upload leaves nothing in
 * storage.
 */
export async function receiveUpload(request: FastifyRequest, form: OpenForm, parts: Parts): Promise<NewFile> {
  refuseTooLarge(Number(request.headers['content-length'] ?? 0) - envelopeBytes, parts.http)
  const stored: NewFile[] = []
  let storing: Promise<NewFile> | undefined
  try {
    const reading = readParts(request, async (part) => {
      if (part.fieldname !== 'file')
        throw invalidField(part.fieldname, 'is not expected. Send the file in the field `file`.')
      if (stored.length > 0) throw invalidField('file', 'is given more than once. Send one file.')
      storing = storePart(part, form, parts)
      stored.push(await storing)
    })
    const fields = await untilAborted(reading, parts.signal)
    const [file] = stored
    requireSignature(fields.get('signature'), form, parts.links)
    if (!file) throw invalidField('file', 'is missing. Send the file in the form field `file`.', 'required')
    return file
  } catch (error) {
    await storing?.catch(() => undefined)
    await parts.store
      .delete(stored.map(({ key }) => key))
      .catch((err) => request.log.warn({ err }, 'incomplete upload not deleted'))
    throw toProblem(error)
  }
}

/** A sender may stop between two parts of the form, where nothing else watches the signal. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function readParts(
  request: FastifyRequest,
  onFile: (part: MultipartFile) => Promise<void>,
): Promise<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>()
  const limits = { ...formLimits, fileSize: Number.MAX_SAFE_INTEGER }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') await onFile(part)
    else fields.set(part.fieldname, String(part.value))
  }
  return fields
}

async function storePart(part: MultipartFile, form: OpenForm, { http, store, signal }: Parts): Promise<NewFile> {
  const head = createHeadWatch()
  // Two uploads to one form must not overwrite each other: each has its own key, and only one is recorded.
  const key = objectKey({ taskId: form.id, attempt: `u${randomBytes(8).toString('hex')}`, n: 0 })
  const { size, sha256, crc32 } = await store.put(key, head.watch(part.file), { signal, maxSize: http.maxFileBytes })
  const filename = nameFor(form, part.filename)
  return { n: 0, key, filename, format: head.formatOf(filename), size, sha256, crc32 }
}

function toProblem(error: unknown): unknown {
  if (error instanceof SizeExceeded) return tooLarge(error.maxSize)
  // Errors of the form parser that have no code: a truncated body, a malformed boundary or header.
  const isFormFault = error instanceof Error && !('code' in error) && /multipart|boundary|header/i.test(error.message)
  return isFormFault ? new Problem('invalid_request', { msg: 'The form is broken or cut off.' }, error) : error
}
