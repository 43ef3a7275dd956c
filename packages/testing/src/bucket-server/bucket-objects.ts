import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface StoredObject {
  readonly file: string
  readonly size: number
  readonly generation: number
}

/** An unfinished upload. Its first `kept` bytes are stored. */
export interface Upload {
  readonly id: string
  readonly name: string
  readonly file: string
  kept: number
}

/** The objects of one bucket and the uploads to it, stored as files in a folder. */
export interface BucketObjects {
  readonly objects: ReadonlyMap<string, StoredObject>
  readonly uploads: ReadonlyMap<string, Upload>
  begin(name: string): Promise<Upload>
  /** Stores bytes from `upload.kept` on. If the body breaks off, only whole blocks are kept. */
  append(upload: Upload, body: Readable): Promise<void>
  finish(upload: Upload): Promise<StoredObject>
  drop(upload: Upload): Promise<void>
}

// The real service keeps an interrupted upload in blocks of this size.
const block = 256 * 1024

export function createBucketObjects(folder: string): BucketObjects {
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Upload>()
  let generation = Date.now()
  return {
    objects,
    uploads,
    async begin(name) {
      const id = randomUUID()
      const upload = { id, name, file: join(folder, `${id}.part`), kept: 0 }
      await (await open(upload.file, 'w')).close()
      uploads.set(id, upload)
      return upload
    },
    async append(upload, body) {
      let isWhole = false
      try {
        await pipeline(body, createWriteStream(upload.file, { flags: 'r+', start: upload.kept }))
        isWhole = true
      } catch {
        // The client asks how many bytes arrived.
      }
      const { size } = await stat(upload.file)
      upload.kept = isWhole ? size : size - (size % block)
      await truncate(upload.file, upload.kept)
    },
    async finish(upload) {
      uploads.delete(upload.id)
      const object = { file: join(folder, `${upload.id}.object`), size: upload.kept, generation: ++generation }
      await rename(upload.file, object.file)
      const older = objects.get(upload.name)
      objects.set(upload.name, object)
      if (older) await rm(older.file)
      return object
    },
    async drop(upload) {
      uploads.delete(upload.id)
      await rm(upload.file, { force: true })
    },
  }
}
