import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'
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
  for (let at = 0; at < keys.length; at += batchSize) await deleteBatch(connection, keys.slice(at, at + batchSize))
}

async function deleteBatch({ client, bucket }: S3Connection, keys: readonly string[]): Promise<void> {
  const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true }
  const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }))
  const [first] = Errors
  if (first) throw new Error(`${Errors.length} objects were not deleted: ${first.Code} for ${first.Key}.`)
}

/** Deletes all objects under a prefix, one listing at a time, and the parts of unfinished uploads. */
export async function deleteUnder(connection: S3Connection, prefix: string): Promise<number> {
  let count = 0
  for (;;) {
    // Always the first page: its objects are gone by the next round, and no token can become stale.
    const listing = new ListObjectsV2Command({ Bucket: connection.bucket, Prefix: prefix, MaxKeys: batchSize })
    const { Contents = [], IsTruncated } = await connection.client.send(listing)
    const keys = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
    await deleteObjects(connection, keys)
    count += keys.length
    if (!IsTruncated) break
  }
  await abortUploadsUnder(connection, prefix)
  return count
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
