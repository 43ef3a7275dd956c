import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { S3Config } from '../config.ts'
import { openConnection } from './connection.ts'

/** An object of a bucket, and when it was written. */
export interface ListedObject {
  readonly key: string
  readonly writtenAt: Date
}

/** Lists every object of a bucket: for tests that look for leftovers. */
export async function* listObjects(config: S3Config): AsyncGenerator<ListedObject> {
  using connection = openConnection(config)
  let token: string | undefined
  do {
    const next = token === undefined ? {} : { ContinuationToken: token }
    const page = await connection.client.send(new ListObjectsV2Command({ Bucket: config.bucket, ...next }))
    for (const { Key, LastModified } of page.Contents ?? [])
      if (Key && LastModified) yield { key: Key, writtenAt: LastModified }
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}
