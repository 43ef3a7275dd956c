import { HeadObjectCommand, S3ServiceException, UploadPartCopyCommand } from '@aws-sdk/client-s3'
import { type CopyOptions, ObjectMissing } from '../object-store.ts'
import type { S3Connection } from './connection.ts'
import { withMultipart } from './multipart.ts'
import { expectSuccess, S3Refusal } from './signed-requests.ts'
import { undoIfAborted } from './undo-if-aborted.ts'
import { withGrace } from './with-grace.ts'

// The protocol copies up to 5 GB in one request. Parts are far smaller, so that each completes within its timeout.
const largestCopy = 256 * 2 ** 20

/** Copies an object inside its bucket, by parts if it is large. */
export async function copyObject(
  connection: S3Connection,
  { from, to, partSize = largestCopy }: { from: string; to: string; partSize?: number },
  { signal, size }: CopyOptions,
): Promise<void> {
  signal.throwIfAborted()
  const bytes = size ?? (await sizeOf(connection, from, signal))
  try {
    if (bytes <= partSize) await withGrace(signal, (late) => copyWhole(connection, { from, to }, late))
    else await copyInParts(connection, { from, to, partSize, size: bytes }, signal)
  } catch (error) {
    throw isMissing(error) ? new ObjectMissing(from, error) : error
  }
  await undoIfAborted(connection, to, signal)
}

async function copyWhole(
  { bucket, requests }: S3Connection,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<void> {
  const headers = { 'x-amz-copy-source': `/${bucket}/${from}` }
  await expectSuccess(await requests({ method: 'PUT', key: to, headers, signal }))
}

interface PartedCopy {
  readonly from: string
  readonly to: string
  readonly partSize: number
  readonly size: number
}

async function copyInParts(connection: S3Connection, copy: PartedCopy, signal: AbortSignal): Promise<void> {
  const { from, to, partSize, size } = copy
  const CopySource = `/${connection.bucket}/${from}`
  await withMultipart(connection, { key: to, signal, broken: new AbortController() }, async (upload) => {
    for (let start = 0; start < size; start += partSize) {
      const CopySourceRange = `bytes=${start}-${Math.min(start + partSize, size) - 1}`
      await upload.add(async ({ target, abortSignal }) => {
        const command = new UploadPartCopyCommand({ ...target, CopySource, CopySourceRange })
        const copied = await connection.client.send(command, { abortSignal })
        return copied.CopyPartResult?.ETag
      })
    }
  })
}

async function sizeOf({ client, bucket }: S3Connection, key: string, abortSignal: AbortSignal): Promise<number> {
  try {
    const facts = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), { abortSignal })
    return facts.ContentLength ?? 0
  } catch (error) {
    throw isMissing(error) ? new ObjectMissing(key, error) : error
  }
}

function isMissing(error: unknown): boolean {
  if (error instanceof S3Refusal) return error.status === 404
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404
}
