import { UploadPartCommand } from '@aws-sdk/client-s3'
import { createDigest, type Digest } from '../digest.ts'
import type { PutOptions, StoredObject } from '../object-store.ts'
import { readSource } from '../read-source.ts'
import type { S3Connection } from './connection.ts'
import { withMultipart } from './multipart.ts'
import { type Part, type PartReader, readParts } from './read-parts.ts'
import { expectSuccess, type SignedBody } from './signed-requests.ts'
import { undoIfAborted } from './undo-if-aborted.ts'
import { withGrace } from './with-grace.ts'

// The smallest size that S3 accepts: each part in flight is held in memory. Ten thousand parts are 50 GB.
const partSize = 5 * 2 ** 20

/** Streams a source to a key: in one request if it fits, otherwise in parts that become visible only at the end. */
export async function putObject(
  connection: S3Connection,
  key: string,
  source: AsyncIterable<Uint8Array>,
  { signal, maxSize }: PutOptions,
): Promise<StoredObject> {
  const digest = createDigest()
  // A part that cannot be sent must stop the reading too, even while the source is silent.
  const broken = new AbortController()
  const chunks = readSource(source, { signal: AbortSignal.any([signal, broken.signal]), maxSize })
  const reader = readParts(digested(chunks, digest), partSize)
  try {
    const { value: first } = await reader.parts.next()
    if (first?.isLast !== false) {
      return await putSigned(connection, { key, body: first?.bytes ?? Buffer.alloc(0), facts: digest.finish(), signal })
    }
    await putInParts(connection, { key, signal, broken }, reader, first)
  } finally {
    await reader.parts.return(undefined)
  }
  return { key, ...digest.finish() }
}

interface WholePut {
  readonly key: string
  readonly body: SignedBody
  readonly facts: Omit<StoredObject, 'key'>
  readonly signal: AbortSignal
}

/** Puts an object in one request. The store refuses a body whose hash differs. */
export async function putSigned(
  connection: S3Connection,
  { key, body, facts, signal }: WholePut,
): Promise<StoredObject> {
  const { size: length, sha256 } = facts
  await withGrace(signal, async (late) => {
    await expectSuccess(await connection.requests({ method: 'PUT', key, body, length, sha256, signal: late }))
  })
  await undoIfAborted(connection, key, signal)
  return { key, ...facts }
}

async function putInParts(
  connection: S3Connection,
  { key, signal, broken }: { key: string; signal: AbortSignal; broken: AbortController },
  { parts, release }: PartReader,
  first: Part,
): Promise<void> {
  await withMultipart(connection, { key, signal, broken }, async (upload) => {
    const send = (part: Part) =>
      upload.add(async ({ target, abortSignal }) => {
        const sent = await connection.client.send(new UploadPartCommand({ ...target, Body: part.bytes }), {
          abortSignal,
        })
        release(part)
        return sent.ETag
      })
    await send(first)
    for await (const part of parts) await send(part)
  })
  await undoIfAborted(connection, key, signal)
}

async function* digested(chunks: AsyncIterable<Uint8Array>, digest: Digest): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    digest.update(chunk)
    yield chunk
  }
}
