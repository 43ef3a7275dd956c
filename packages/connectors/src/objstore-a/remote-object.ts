import { addAbortSignal, Readable } from 'node:stream'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import { failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import type { RemoteFile } from '../remote-content.ts'
import type { Bucket } from './bucket.ts'

/** One object of a bucket, for reading. */
export function remoteObject(bucket: Bucket, key: string, signal: AbortSignal): RemoteFile {
  const object = { Bucket: bucket.name, Key: key }
  let etag: string | undefined

  async function get(range: { Range?: string; IfMatch?: string }) {
    const command = new GetObjectCommand({ ...object, ...range })
    const answer = await bucket.ask((client) => client.send(command, { abortSignal: signal }))
    if (!(answer.Body instanceof Readable)) throw bucket.toBreak(new Error('an answer without a body'))
    return { ...answer, body: addAbortSignal(signal, answer.Body) }
  }

  return {
    toBreak: bucket.toBreak,
    async open() {
      const { ETag, ContentLength = Number.NaN, body } = await get({})
      etag = ETag
      return { size: ContentLength, body }
    },
    async openFrom(offset) {
      const { ContentRange = '', body } = await get({ Range: `bytes=${offset}-`, ...(etag && { IfMatch: etag }) })
      if (ContentRange.startsWith(`bytes ${offset}-`)) return body
      body.destroy()
      throw new TransferFailed(failure('source_unreachable', { detail: 'range ignored' }))
    },
  }
}
