import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Failure, failure } from '@lathe/domain'
import { fileIn, type JobFolder } from './job-folder.ts'

/** A file an engine made, held open. */
export interface Output extends AsyncDisposable {
  readonly size: number
  /** Fills the buffer from this position of the file on, and returns the number of bytes read. */
  read(buffer: Uint8Array, position: number): Promise<number>
  /** Its bytes: never more than `size`, even if the file grows meanwhile. */
  stream(): Readable
}

// O_NOFOLLOW: a link could lead out of the folder. O_NONBLOCK: opening a pipe would block forever.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens an output. Accepts only regular files, checked by the open descriptor and not by a name that may change. */
export async function openOutput(
  folder: JobFolder,
  file: string,
  maxSize = Number.POSITIVE_INFINITY,
): Promise<Output | Failure> {
  const handle = await open(fileIn(folder.path, file), flags).catch((error: NodeJS.ErrnoException) => error)
  if (handle instanceof Error) return refuse(handle)
  const stats = await handle.stat()
  // A second name is a hard link: the file may belong to someone else.
  const isPlain = stats.isFile() && stats.nlink === 1
  if (!isPlain || stats.size > maxSize) {
    await handle.close()
    return isPlain
      ? failure('limit_exceeded', { text: 'The output is larger than allowed.' })
      : failure('output_missing', { detail: 'the output is not a regular file of one name' })
  }
  return {
    size: stats.size,
    read: async (buffer, position) => (await handle.read(buffer, 0, buffer.length, position)).bytesRead,
    stream: () => handle.createReadStream({ start: 0, end: Math.max(stats.size - 1, 0), autoClose: false }),
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

// ELOOP: a symlink. ENXIO: a socket, or a pipe without a writer. EACCES: the engine removed our permission.
function refuse(error: NodeJS.ErrnoException): Failure {
  if (!['ENOENT', 'ELOOP', 'ENXIO', 'EACCES', 'ENODEV'].includes(error.code ?? '')) throw error
  return failure('output_missing', { detail: `the output cannot be opened: ${error.code}` })
}
