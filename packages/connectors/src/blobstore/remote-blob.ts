import { addAbortSignal, Readable } from 'node:stream'
import { failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import type { RemoteFile } from '../remote-content.ts'
import type { Blob } from './container.ts'

/** One blob of a container, for reading. */
export function remoteBlob(blob: Blob, signal: AbortSignal): RemoteFile {
  let etag: string | undefined

  async function get(offset: number) {
    const conditions = offset > 0 && etag !== undefined ? { ifMatch: etag } : {}
    const options = { abortSignal: signal, conditions, maxRetryRequests: 0 }
    const answer = await blob.ask((client) => client.download(offset, undefined, options))
    const { readableStreamBody: body } = answer
    if (!(body instanceof Readable)) throw blob.toBreak(new Error('an answer without a body'))
    return { answer, body: addAbortSignal(signal, body) }
  }

  return {
    toBreak: blob.toBreak,
    async open() {
      const { answer, body } = await get(0)
      etag = answer.etag
      return { size: answer.contentLength ?? Number.NaN, body }
    },
    async openFrom(offset) {
      const { answer, body } = await get(offset)
      if (answer.contentRange?.startsWith(`bytes ${offset}-`)) return body
      body.destroy()
      throw new TransferFailed(failure('source_unreachable', { detail: 'range ignored' }))
    },
  }
}
