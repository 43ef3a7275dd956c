import { createCipheriv, createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ExportContext, ExportFile, ImportContext } from '../connector.ts'

const ownerId = '0123456789abcdef01234567'
export const testTaskId = 'fedcba987654321001234567'
const chunkSize = 64 * 1024

/** Bytes that look random and are always the same. */
export function makeBytes(size: number): Buffer {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16))
  return cipher.update(Buffer.alloc(size))
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A file to export. `opened` lists the position of each open. */
export function makeExportFile(filename: string, bytes: Buffer): ExportFile & { readonly opened: readonly number[] } {
  const opened: number[] = []
  return {
    filename,
    format: 'bin',
    size: bytes.length,
    sha256: sha256Of(bytes),
    opened,
    async open(from = 0) {
      opened.push(from)
      return Readable.from(chunksOf(bytes.subarray(from)), { objectMode: false })
    },
  }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
}

/** A file that was saved completely. */
export interface Kept {
  readonly filename: string
  readonly size: number
  readonly sha256: string
}

/** An import's context that keeps digests. Saving is all or nothing, as in storage. */
export function makeImportContext(given: Partial<Pick<ImportContext, 'signal' | 'maxSize'>> = {}) {
  const kept: Kept[] = []
  const shares: number[] = []
  const context: ImportContext = {
    signal: given.signal ?? new AbortController().signal,
    ownerId,
    maxSize: given.maxSize ?? 2 ** 40,
    async save(filename, source) {
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of source) {
        hash.update(chunk)
        size += chunk.length
      }
      kept.push({ filename, size, sha256: hash.digest('hex') })
    },
    openStaged: () => Promise.reject(new Error('nothing is staged')),
    warn: () => {},
    progress: (share) => void shares.push(share),
  }
  return { context, kept, shares }
}

/** An export's context with these files. */
export function makeExportContext(files: readonly ExportFile[], signal = new AbortController().signal) {
  const shares: number[] = []
  const progress = (share: number) => void shares.push(share)
  const context: ExportContext = { signal, taskId: testTaskId, ownerId, files, progress }
  return { context, shares }
}
