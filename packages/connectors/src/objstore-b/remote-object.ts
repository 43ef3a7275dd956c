import type { Readable } from 'node:stream'
import { failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import type { RemoteFile } from '../remote-content.ts'
import type { Bucket } from './bucket.ts'

/** One object of a bucket, for reading. */
export function remoteObject(bucket: Bucket, name: string, { signal, maxSize }: Reading): RemoteFile {
  const url = `${bucket.endpoint}${bucket.path}/${encodeURIComponent(name)}?alt=media`
  let generation: string | undefined

  return {
    toBreak: (error) => {
      if (error instanceof TransferFailed) return error
      return new TransferFailed(failure('source_unreachable', { detail: 'broke off' }))
    },
    async open() {
      const { headers, body } = await bucket.ask(url, { method: 'GET', signal, maxSize, expect: [200] })
      generation = headers['x-goog-generation']
      // An object that is stored compressed is sent decompressed, with unknown length: it ends with the response.
      return { size: Number(headers['content-length'] ?? 0), body }
    },
    async openFrom(offset): Promise<Readable> {
      // Only from the object that was opened first, in case it was replaced since.
      const same = generation === undefined ? url : `${url}&ifGenerationMatch=${encodeURIComponent(generation)}`
      const headers = { range: `bytes=${offset}-` }
      const answer = await bucket.ask(same, { method: 'GET', headers, signal, maxSize, expect: [200, 206] })
      if (answer.headers['content-range']?.startsWith(`bytes ${offset}-`)) return answer.body
      answer.body.destroy()
      throw new TransferFailed(failure('source_unreachable', { detail: 'range ignored' }))
    },
  }
}

interface Reading {
  readonly signal: AbortSignal
  readonly maxSize: number
}
