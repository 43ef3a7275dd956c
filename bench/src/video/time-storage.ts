import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readEnv } from '@lathe/runtime'
import { createStore, type ObjectStore, storageConfig, storageEnv } from '@lathe/storage'
import type { Stack } from '@lathe/testing'

/** How long the storage takes for the files of a conversion by itself, in seconds. */
export interface StorageTimes {
  /** Reading the source from the store into a folder. */
  readonly read: number
  /** Writing the result to the store, with the hash that the service stores. */
  readonly write: number
}

/** Times the storage client of the service with a source and a result, without the service. */
export async function timeStorage(stack: Stack, source: string, result: string): Promise<StorageTimes> {
  await using store = await createStore(storageConfig(readEnv(storageEnv, stack.storageEnv)))
  const folder = `bench-${randomBytes(8).toString('hex')}`
  const keys = { source: `${folder}/0`, result: `${folder}/1` }
  const copy = join(stack.scratchDir, folder)
  try {
    await putFile(store, keys.source, source)
    return {
      read: await secondsOf(() => fetchFile(store, keys.source, copy)),
      write: await secondsOf(() => putFile(store, keys.result, result)),
    }
  } finally {
    await store.delete(Object.values(keys))
    await rm(copy, { force: true })
  }
}

const { signal } = new AbortController()

async function putFile(store: ObjectStore, key: string, path: string): Promise<void> {
  await using handle = await open(path)
  const { size } = await handle.stat()
  const read = async (buffer: Uint8Array, position: number) =>
    (await handle.read(buffer, 0, buffer.length, position)).bytesRead
  await store.putFile(key, { size, read }, { signal })
}

async function fetchFile(store: ObjectStore, key: string, path: string): Promise<void> {
  const body = await store.open(key, { signal })
  if (!body) throw new Error(`${key} is not in the store`)
  await pipeline(body, createWriteStream(path))
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
