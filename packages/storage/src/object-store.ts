import type { Readable } from 'node:stream'
import type { LocalFile } from './local-file.ts'

/** What a store knows of the bytes it was given, hashed on their way. */
export interface StoredObject {
  readonly key: string
  readonly size: number
  /** In hex. */
  readonly sha256: string
  readonly crc32: number
}

/** A part of an object; both ends belong to it. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface PutOptions {
  readonly signal: AbortSignal
  /** More bytes than this throw `SizeExceeded`, and nothing is kept. */
  readonly maxSize?: number
}

export interface OpenOptions {
  readonly signal: AbortSignal
  /** An end past the object's is cut; a start past it throws `RangeError`. */
  readonly range?: ByteRange
  /** Whether a client sets the pace: its body must not hold a connection that writes and probes need. */
  readonly forClient?: boolean
}

export interface CopyOptions {
  readonly signal: AbortSignal
  /** The source's size, where the caller has it at hand: it saves a request. */
  readonly size?: number
}

/** Where bytes rest. Keys are written once and never changed. */
export interface ObjectStore {
  /** Streams to the key, all or nothing, hashing on the way. */
  put(key: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredObject>
  /** The same for a file of this machine, which costs less. */
  putFile(key: string, file: LocalFile, options: Pick<PutOptions, 'signal'>): Promise<StoredObject>
  /** The bytes of an object, or undefined if there is none. */
  open(key: string, options: OpenOptions): Promise<Readable | undefined>
  /** Copies without moving the bytes through this process; throws `ObjectMissing` if there is no source. */
  copy(from: string, to: string, options: CopyOptions): Promise<void>
  /** Deletes objects; those that do not exist are no error. */
  delete(keys: readonly string[]): Promise<void>
  /** Deletes every object whose key starts so, in bounded batches, with the remains of broken writes; tells how many objects. */
  deletePrefix(prefix: string): Promise<number>
  /** The first segments of all keys, sorted. */
  listPrefixes(): Promise<readonly string[]>
  /** Proves that bytes can be written, read and deleted. */
  check(signal: AbortSignal): Promise<void>
}

/** A put that brought more bytes than it was allowed. */
export class SizeExceeded extends Error {
  override readonly name = 'SizeExceeded'
  readonly maxSize: number

  constructor(maxSize: number) {
    super(`The content is larger than ${maxSize} bytes.`)
    this.maxSize = maxSize
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
