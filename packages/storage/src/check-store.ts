import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { bucketAt } from './object-key.ts'
import type { ObjectStore } from './object-store.ts'

const folder = 'check'

/** Whether an object is one that a check wrote. */
export function isCheckKey(key: string): boolean {
  return key.split('/')[1] === folder
}

/** Writes, reads and deletes a few bytes. Throws if they do not come back unchanged. */
export async function checkStore(store: Omit<ObjectStore, 'check'>, signal: AbortSignal): Promise<void> {
  const content = Buffer.from(randomUUID())
  // Under a time prefix like any file, so that an object left behind by a crash expires like the rest.
  const key = `${bucketAt(new Date())}/${folder}/${content}`
  await store.put(key, oneChunk(content), { signal })
  try {
    const body = await store.open(key, { signal })
    if (!body || !content.equals(await buffer(body)))
      throw new Error('The storage did not give back what it was given.')
  } finally {
    await store.delete([key])
  }
}

async function* oneChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk
}
