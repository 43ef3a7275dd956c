import { PutObjectCommand } from '@aws-sdk/client-s3'
import { createBreaks } from '../breaks.ts'
import type { ExportFile } from '../connector.ts'
import { createFileParts } from '../file-parts.ts'
import { retryBroken } from '../retry-broken.ts'
import { sendBody } from '../send-body.ts'
import type { Bucket } from './bucket.ts'

/** An upload of a file to a key. */
export interface ObjectPut {
  readonly key: string
  readonly file: ExportFile
  readonly signal: AbortSignal
  /** Called with the number of bytes read so far. */
  reached(bytes: number): void
}

/** Uploads a small file in one request. The server accepts all of it or nothing, and checks its SHA-256. */
export async function putWhole(bucket: Bucket, { key, file, signal, reached }: ObjectPut): Promise<void> {
  using parts = createFileParts(file, reached)
  await retryBroken(createBreaks(signal), 0, async () => {
    parts.rewind()
    const body = parts.read(0, file.size)
    const object = { Bucket: bucket.name, Key: key, ContentLength: file.size }
    const command = new PutObjectCommand({ ...object, Body: file.size === 0 ? new Uint8Array() : body })
    // Signed as the digest of the body, which the library cannot compute for a stream.
    command.middlewareStack.add(
      (next) => (args) => {
        const { headers } = args.request as { headers: Record<string, string> }
        headers['x-amz-content-sha256'] = file.sha256
        return next(args)
      },
      { step: 'build', name: 'signGivenDigest' },
    )
    await sendBody(body, signal, (abortSignal) => bucket.ask((client) => client.send(command, { abortSignal })))
  })
}
