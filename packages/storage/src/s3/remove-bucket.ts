import { DeleteBucketCommand } from '@aws-sdk/client-s3'
import type { S3Config } from '../config.ts'
import { openConnection } from './connection.ts'
import { createS3Store } from './s3-store.ts'

/** Removes the bucket with its contents: for tests that created one. */
export async function removeBucket(config: S3Config): Promise<void> {
  using connection = openConnection(config)
  await using store = createS3Store(config)
  for (const prefix of await store.listPrefixes()) await store.deletePrefix(prefix)
  await connection.client.send(new DeleteBucketCommand({ Bucket: config.bucket }))
}
