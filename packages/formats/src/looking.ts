/** A part of a file that a search requests. */
export interface Wanted {
  readonly offset: number
  readonly length: number
}

/**
 * A search through a file: it requests parts and receives them, shorter ones at the end of the file or of the known
 * bytes. So the same search works on a head in memory and on a file that must be read.
 */
export type Looking<T> = Generator<Wanted, T, Uint8Array>

/** How detection reads a whole file. */
export interface FileAccess {
  readonly size: number
  /** The bytes at an offset: fewer than requested at the end of the file. */
  readAt(offset: number, length: number): Promise<Uint8Array>
  /** Unpacks raw deflate data, which may be truncated; `undefined` for other data or a result beyond `maxLength`. */
  inflate(packed: Uint8Array, maxLength: number): Uint8Array | undefined
}

/** Searches the head of a file as if the file ended there. */
export function lookInHead<T>(looking: Looking<T>, head: Uint8Array): T {
  let step = looking.next()
  while (!step.done) {
    const { offset, length } = step.value
    step = looking.next(head.subarray(offset, offset + length))
  }
  return step.value
}

/** Searches a file. */
export async function lookInFile<T>(looking: Looking<T>, file: FileAccess): Promise<T> {
  let step = looking.next()
  while (!step.done) {
    const { offset, length } = step.value
    const fits = offset >= 0 && offset < file.size
    step = looking.next(fits ? await file.readAt(offset, Math.min(length, file.size - offset)) : new Uint8Array())
  }
  return step.value
}
