import {
  BucketAlreadyOwnedByYou,
  type BucketLifecycleConfiguration,
  CreateBucketCommand,
  HeadBucketCommand,
  NotFound,
  PutBucketLifecycleConfigurationCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { S3Config } from '../config.ts'
import { openConnection } from './connection.ts'

/**
 * Creates the bucket if it is missing, with a rule that removes the parts of unfinished uploads after a day, also while
 * no scheduler runs: for setup and tests. A running service never creates one.
 */
export async function prepareBucket(config: S3Config): Promise<void> {
  using connection = openConnection(config)
  const Bucket = config.bucket
  try {
    await connection.client.send(new HeadBucketCommand({ Bucket }))
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    await connection.client.send(new CreateBucketCommand({ Bucket })).catch(ignoreOwned)
    await connection.client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, ...rules })).catch(ignoreUnknown)
  }
}

const rules: { readonly LifecycleConfiguration: BucketLifecycleConfiguration } = {
  LifecycleConfiguration: {
    Rules: [
      {
        ID: 'unfinished-uploads',
        Status: 'Enabled',
        Filter: { Prefix: '' },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      },
    ],
  },
}

// Not every store has such rules. There, the scheduler alone removes these parts.
function ignoreUnknown(error: unknown): void {
  if (!(error instanceof S3ServiceException) || !['NotImplemented', 'MethodNotAllowed'].includes(error.name))
    throw error
}

function ignoreOwned(error: unknown): void {
  if (!(error instanceof BucketAlreadyOwnedByYou)) throw error
}
