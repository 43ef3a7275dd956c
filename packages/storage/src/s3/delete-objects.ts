import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'
import { forEachSafely } from '@lathe/runtime'
import { ObjectsNotDeleted } from '../object-store.ts'
import type { S3Connection } from './connection.ts'
import { expectSuccess } from './signed-requests.ts'

// The most objects that the protocol lists or deletes in one request.
const batchSize = 1000

/** Deletes objects by key. */
export async function deleteObjects(connection: S3Connection, keys: readonly string[]): Promise<void> {
  const [only] = keys
  if (only !== undefined && keys.length === 1) {
    await expectSuccess(await connection.requests({ method: 'DELETE', key: only }))
    return
  }
  const refused: Refused[] = []
  for (let at = 0; at < keys.length; at += batchSize) {
    refused.push(...(await deleteBatch(connection, keys.slice(at, at + batchSize))))
  }
  throwIfRefused(refused)
}

interface Refused {
  readonly key: string
  readonly code: string
}

/** Deletes some objects, and returns those that the store refused to delete. */
async function deleteBatch({ client, bucket }: S3Connection, keys: readonly string[]): Promise<readonly Refused[]> {
  if (keys.length === 0) return []
  const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true }
  const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }))
  return Errors.map(({ Key = '', Code = 'unknown' }) => ({ key: Key, code: Code }))
}

function throwIfRefused(refused: readonly Refused[]): void {
  const [first] = refused
  if (!first) return
  throw new ObjectsNotDeleted(
    refused.map(({ key }) => key),
    first.code,
  )
}

/** Deletes all objects under a prefix, one listing at a time, and the parts of unfinished uploads. */
export async function deleteUnder(connection: S3Connection, prefix: string): Promise<number> {
  let count = 0
  const refused: Refused[] = []
  for (let after: string | undefined; ; ) {
    // Continues after a key, which no deletion makes stale, and so passes objects that the store refuses to delete.
    const start = after === undefined ? {} : { StartAfter: after }
    const listing = new ListObjectsV2Command({
      Bucket: connection.bucket,
      Prefix: prefix,
      MaxKeys: batchSize,
      ...start,
    })
    const { Contents = [], IsTruncated } = await connection.client.send(listing)
    const keys = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
    const left = await deleteBatch(connection, keys)
    refused.push(...left)
    count += keys.length - left.length
    after = keys.at(-1)
    if (!IsTruncated || after === undefined) break
  }
  await abortUploadsUnder(connection, prefix)
  throwIfRefused(refused)
  return count
}

/** Aborts the unfinished uploads of the whole bucket whose key is over. Returns how many there were. */
export async function abortUploads(
  { client, bucket }: S3Connection,
  isOver: (key: string) => boolean,
): Promise<number> {
  let count = 0
  let start: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
  for (;;) {
    const listing = new ListMultipartUploadsCommand({ Bucket: bucket, MaxUploads: batchSize, ...start })
    const { Uploads = [], IsTruncated, NextKeyMarker, NextUploadIdMarker } = await client.send(listing)
    count += await forEachSafely(
      Uploads.filter(({ Key }) => Key !== undefined && isOver(Key)),
      ({ Key, UploadId }) => client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })),
    )
    if (!IsTruncated || NextKeyMarker === undefined) return count
    start = { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker }
  }
}

async function abortUploadsUnder({ client, bucket }: S3Connection, prefix: string): Promise<void> {
  for (;;) {
    const listing = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, MaxUploads: batchSize })
    const { Uploads = [], IsTruncated } = await client.send(listing)
    for (const { Key, UploadId } of Uploads) {
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
    }
    if (!IsTruncated) return
  }
}
