import { randomBytes } from 'node:crypto'
import { endResumable, findUploadParts, type NewFile, type ResumableUpload, type UploadPart } from '@lathe/database'
import { createHeadWatch } from '@lathe/formats'
import { objectKey } from '@lathe/storage'
import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../../../services.ts'
import { completeForm } from '../complete-form.ts'
import type { OpenForm } from '../open-form.ts'

type Parts = Pick<Services, 'database' | 'orchestrator' | 'store' | 'metrics'>

type Whole = Pick<ResumableUpload, 'taskId' | 'id' | 'filename'>

const never = new AbortController().signal

/**
 * Joins the parts into one file and completes the task. It may run again, even concurrently: the first to complete the
 * task wins, and the other's file is deleted. It continues when the sender has disconnected.
 */
export async function finishUpload(form: OpenForm, upload: Whole, log: FastifyBaseLogger, parts: Parts): Promise<void> {
  const { database, store } = parts
  const pieces = await findUploadParts(database.pool, upload)
  await completeForm(form, await join(upload, pieces, parts), parts)
  // The parts stay recorded until they are deleted: the scheduler erases the rest.
  try {
    await store.delete(pieces.map(({ key }) => key))
    await endResumable(database.pool, upload.taskId)
  } catch (err) {
    log.warn({ err, taskId: upload.taskId }, 'upload parts not deleted, left to the scheduler')
  }
}

async function join(
  { taskId, filename }: Whole,
  pieces: readonly UploadPart[],
  { store }: Pick<Parts, 'store'>,
): Promise<NewFile> {
  const head = createHeadWatch()
  const key = objectKey({ taskId, attempt: `u${randomBytes(8).toString('hex')}`, n: 0 })
  const { size, sha256, crc32 } = await store.put(key, head.watch(readAll(pieces, store)), { signal: never })
  return { n: 0, key, filename, format: head.formatOf(filename), size, sha256, crc32 }
}

async function* readAll(pieces: readonly UploadPart[], store: Services['store']): AsyncGenerator<Uint8Array> {
  for (const { key, size } of pieces) {
    const bytes = await store.open(key, { signal: never })
    if (!bytes) throw new Error(`the part ${key} of an upload is gone`)
    let seen = 0
    for await (const chunk of bytes) {
      seen += chunk.length
      yield chunk
    }
    if (seen !== size) throw new Error(`the part ${key} of an upload has ${seen} of ${size} bytes`)
  }
}
