import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { ListedObject } from '../object-store.ts'
import type { S3Connection } from './connection.ts'

/** Lists the objects with a prefix, one request for each page. */
export async function* listObjects(
  { client, bucket }: S3Connection,
  prefix: string,
): AsyncGenerator<readonly ListedObject[]> {
  let token: string | undefined
  do {
    const next = token === undefined ? {} : { ContinuationToken: token }
    const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...next }))
    yield (page.Contents ?? []).flatMap(({ Key, LastModified }) =>
      Key && LastModified ? [{ key: Key, writtenAt: LastModified }] : [],
    )
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}
