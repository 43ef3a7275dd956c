import type { Readable } from 'node:stream'
import type { LocalFile } from './local-file.ts'

/** What a store knows about stored bytes, hashed while they were written. */
export interface StoredObject {
  readonly key: string
  readonly size: number
  /** In hex. */
  readonly sha256: string
  readonly crc32: number
}

/** A part of an object, including both ends. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface PutOptions {
  readonly signal: AbortSignal
  /** If the source has more bytes than this, the put throws `SizeExceeded` and stores nothing. */
  readonly maxSize?: number
}

export interface OpenOptions {
  readonly signal: AbortSignal
  /** An end past the object's end is clipped. A start past it throws `RangeError`. */
  readonly range?: ByteRange
  /** Whether a client sets the pace: its body must not hold a connection that writes and health checks need. */
  readonly forClient?: boolean
}

export interface CopyOptions {
  readonly signal: AbortSignal
  /** The size of the source, if the caller knows it: it saves a request. */
  readonly size?: number
}

/** An object of a listing. */
export interface ListedObject {
  readonly key: string
  readonly writtenAt: Date
}

/** The store for files. Keys are written once and never changed. */
export interface ObjectStore {
  /** Streams to the key and hashes the bytes. Stores everything or nothing. */
  put(key: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredObject>
  /** The same for a file on this machine, at a lower cost. */
  putFile(key: string, file: LocalFile, options: Pick<PutOptions, 'signal'>): Promise<StoredObject>
  /** The bytes of an object, or undefined if there is none. */
  open(key: string, options: OpenOptions): Promise<Readable | undefined>
  /** Copies without moving the bytes through this process. Throws `ObjectMissing` if there is no source. */
  copy(from: string, to: string, options: CopyOptions): Promise<void>
  /** Deletes objects. Missing objects are not an error. Throws `ObjectsNotDeleted` after it tried all of them. */
  delete(keys: readonly string[]): Promise<void>
  /** Deletes every object with this prefix in batches, and unfinished uploads. Returns the number of objects. */
  deletePrefix(prefix: string): Promise<number>
  /**
   * Removes the parts of unfinished uploads whose key is over, wherever they are: no listing of objects shows them.
   * Returns the number of uploads. A store without such parts does nothing.
   */
  removeUnfinished(isOver: (key: string) => boolean): Promise<number>
  /** The objects with this prefix, in pages of at most 1,000, without those that are written or deleted meanwhile. */
  list(prefix: string): AsyncIterable<readonly ListedObject[]>
  /** The first segments of all keys, sorted. */
  listPrefixes(): Promise<readonly string[]>
  /** Proves that bytes can be written, read and deleted. */
  check(signal: AbortSignal): Promise<void>
}

/** A put whose source exceeded its size limit. */
export class SizeExceeded extends Error {
  override readonly name = 'SizeExceeded'
  readonly maxSize: number

  constructor(maxSize: number) {
    super(`The content is larger than ${maxSize} bytes.`)
    this.maxSize = maxSize
  }
}

/** Some objects could not be deleted; all others of the request are. */
export class ObjectsNotDeleted extends Error {
  override readonly name = 'ObjectsNotDeleted'
  readonly keys: readonly string[]

  constructor(keys: readonly string[], cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(`${keys.length} objects were not deleted, the first is ${keys[0]}: ${why}`, { cause })
    this.keys = keys
  }
}

/** A copy whose source does not exist. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing'
  readonly key: string

  constructor(key: string, cause?: unknown) {
    super(`There is no object ${key}.`, { cause })
    this.key = key
  }
}
