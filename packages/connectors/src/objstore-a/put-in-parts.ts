import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterGrace, cleanUpSignal } from '@lathe/runtime'
import { createBreaks } from '../breaks.ts'
import { createFileParts } from '../file-parts.ts'
import { retryBroken } from '../retry-broken.ts'
import { sendBody } from '../send-body.ts'
import type { Bucket } from './bucket.ts'
import type { ObjectPut } from './put-whole.ts'

const MiB = 2 ** 20
// Parts are streamed, so their size costs no memory. It is the amount that is sent again when a part breaks off.
const usualPart = 16 * MiB
/** The maximum of the protocol. */
const maxParts = 10_000

interface Upload {
  readonly Bucket: string
  readonly Key: string
  readonly UploadId: string | undefined
}

/** Uploads a file in parts that become visible only with the last one. A failed upload is removed. */
export async function putInParts(bucket: Bucket, put: ObjectPut): Promise<void> {
  const upload = await create(bucket, put)
  try {
    const Parts = await sendParts(bucket, upload, put)
    put.signal.throwIfAborted()
    await complete(bucket, upload, Parts, put.signal)
  } catch (error) {
    const abort = new AbortMultipartUploadCommand(upload)
    // The first error is the one to report.
    await bucket.ask((client) => client.send(abort, { abortSignal: cleanUpSignal() })).catch(() => {})
    throw error
  }
}

async function create(bucket: Bucket, { key, signal }: ObjectPut): Promise<Upload> {
  const object = { Bucket: bucket.name, Key: key }
  const command = new CreateMultipartUploadCommand(object)
  // Not aborted at once: an upload that was created without our receiving its ID could not be removed.
  using late = afterGrace(signal)
  const { UploadId } = await retryBroken(createBreaks(signal), 0, () =>
    bucket.ask((client) => client.send(command, { abortSignal: late.signal })),
  )
  return { ...object, UploadId }
}

async function sendParts(bucket: Bucket, upload: Upload, put: ObjectPut): Promise<CompletedPart[]> {
  const { file, signal } = put
  using parts = createFileParts(file, put.reached)
  const breaks = createBreaks(signal)
  const partSize = partSizeFor(file.size)
  const done: CompletedPart[] = []
  for (let start = 0; start < file.size; start += partSize) {
    const length = Math.min(partSize, file.size - start)
    const PartNumber = done.length + 1
    const send = async () => {
      const body = parts.read(start, length)
      const command = new UploadPartCommand({ ...upload, PartNumber, ContentLength: length, Body: body })
      try {
        return await sendBody(body, signal, (abortSignal) =>
          bucket.ask((client) => client.send(command, { abortSignal })),
        )
      } catch (error) {
        parts.rewind()
        throw error
      }
    }
    const { ETag } = await retryBroken(breaks, start, send)
    done.push({ PartNumber, ETag })
  }
  return done
}

async function complete(bucket: Bucket, upload: Upload, Parts: CompletedPart[], signal: AbortSignal): Promise<void> {
  const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
  using late = afterGrace(signal)
  await retryBroken(createBreaks(signal), 0, () =>
    bucket.ask((client) => client.send(command, { abortSignal: late.signal })),
  )
}

/** Large enough for the whole file to fit into the maximum number of parts. */
export function partSizeFor(size: number): number {
  return Math.max(usualPart, Math.ceil(size / maxParts))
}
