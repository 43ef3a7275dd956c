/** A part of a file that somebody wants to see. */
export interface Wanted {
  readonly offset: number
  readonly length: number
}

/**
 * A search through a file: it asks for parts and is given them, shorter ones where the file or what is known of it
 * ends. So the same search works on a head that is at hand and on a file that must be read.
 */
export type Looking<T> = Generator<Wanted, T, Uint8Array>

/** How detection reads a whole file. */
export interface FileAccess {
  readonly size: number
  /** The bytes at an offset: fewer than asked for at the end of the file. */
  readAt(offset: number, length: number): Promise<Uint8Array>
  /** Unpacks raw deflate data, which may be cut short; `undefined` where it is no such data or becomes longer than allowed. */
  inflate(packed: Uint8Array, maxLength: number): Uint8Array | undefined
}

/** Searches the head of a file: what lies behind it is not there. */
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
