import { buffer } from 'node:stream/consumers'
import type { LocalFile } from '../local-file.ts'
import type { ByteRange, ObjectStore } from '../object-store.ts'

const { signal } = new AbortController()

/** A source of one chunk. */
export async function* chunkOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content)
}

/** A source of any size that holds one chunk, and reuses it as socket readers do. */
export async function* manyChunks(
  size: number,
  onChunk: (sent: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(64 * 1024)
  for (let sent = 0; sent < size; ) {
    chunk.fill(sent / chunk.length)
    const length = Math.min(chunk.length, size - sent)
    sent += length
    onChunk(sent)
    yield chunk.subarray(0, length)
  }
}

/** An object's bytes as text, or undefined if there is no such object. */
export async function readText(store: ObjectStore, key: string, range?: ByteRange): Promise<string | undefined> {
  const body = await store.open(key, range ? { signal, range } : { signal })
  return body ? (await buffer(body)).toString() : undefined
}

/** Bytes in the form of a file. */
export function fileOf(bytes: Buffer): LocalFile {
  return { size: bytes.length, read: async (to, at) => bytes.copy(to, 0, at, at + to.length) }
}
