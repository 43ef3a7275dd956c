import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { checkStore } from '../check-store.ts'
import type { DiskConfig } from '../config.ts'
import { createDigest } from '../digest.ts'
import { readPieces } from '../local-file.ts'
import { parseKey, parsePrefix } from '../object-key.ts'
import {
  ObjectMissing,
  type ObjectStore,
  type OpenOptions,
  type PutOptions,
  type StoredObject,
} from '../object-store.ts'
import { readSource } from '../read-source.ts'
import { deleteFiles, deleteFilesUnder } from './delete-files.ts'
import { listFiles } from './list-files.ts'
import { hasCode, ignoreMissing, writeInPlace } from './write-in-place.ts'

/** A store in a folder, for one machine. A key is a path below the folder. */
export async function createDiskStore({ dir }: DiskConfig): Promise<ObjectStore & AsyncDisposable> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const store: Omit<ObjectStore, 'check'> = {
    put: async (key, source, options) => writeFile(dir, parseKey(key), source, options),
    putFile: async (key, file, options) => writeFile(dir, parseKey(key), readPieces(file), options),
    open: async (key, options) => openFile(join(dir, parseKey(key)), options),
    copy: async (from, to, { signal }) => copyFile(dir, parseKey(from), parseKey(to), signal),
    delete: async (keys) => deleteFiles(dir, keys.map(parseKey)),
    deletePrefix: async (prefix) => deleteFilesUnder(dir, parsePrefix(prefix)),
    removeUnfinished: async () => 0,
    list: (prefix) => listFiles(dir, parsePrefix(prefix)),
    listPrefixes: async () => listFolders(dir),
  }
  return { ...store, check: (signal) => checkStore(store, signal), [Symbol.asyncDispose]: async () => {} }
}

async function writeFile(
  dir: string,
  key: string,
  source: AsyncIterable<Uint8Array>,
  { signal, maxSize }: PutOptions,
): Promise<StoredObject> {
  const digest = createDigest()
  await writeInPlace(dir, key, signal, async (path) => {
    await using file = await open(path, 'wx', 0o600)
    for await (const chunk of readSource(source, { signal, maxSize })) {
      digest.update(chunk)
      await file.appendFile(chunk)
    }
    await file.sync()
  })
  return { key, ...digest.finish() }
}

async function openFile(path: string, { signal, range }: OpenOptions): Promise<Readable | undefined> {
  signal.throwIfAborted()
  const file = await open(path, 'r').catch(ignoreMissing)
  if (!file) return undefined
  const { size } = await file.stat()
  if (range && range.start >= size) {
    await file.close()
    throw new RangeError('The range starts past the object.')
  }
  return addAbortSignal(signal, createReadStream('', { fd: file, highWaterMark: 256 * 1024, ...range }))
}

// Files never change in place, so a hard link works as a copy, at no cost.
async function copyFile(dir: string, from: string, to: string, signal: AbortSignal): Promise<void> {
  try {
    await writeInPlace(dir, to, signal, (path) => link(join(dir, from), path))
  } catch (error) {
    throw hasCode(error, 'ENOENT') ? new ObjectMissing(from, error) : error
  }
}

async function listFolders(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
}
