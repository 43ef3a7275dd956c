import { BucketAlreadyOwnedByYou, CreateBucketCommand, HeadBucketCommand, NotFound } from '@aws-sdk/client-s3'
import type { S3Config } from '../config.ts'
import { openConnection } from './connection.ts'

/** Creates the bucket if it is missing: for setup and tests. A running service never creates one. */
export async function prepareBucket(config: S3Config): Promise<void> {
  using connection = openConnection(config)
  const Bucket = config.bucket
  try {
    await connection.client.send(new HeadBucketCommand({ Bucket }))
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    await connection.client.send(new CreateBucketCommand({ Bucket })).catch(ignoreOwned)
  }
}

function ignoreOwned(error: unknown): void {
  if (!(error instanceof BucketAlreadyOwnedByYou)) throw error
}
