import type { Readable } from 'node:stream'
import { failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import type { Breaks } from './breaks.ts'
import { retryBroken } from './retry-broken.ts'

/** A file at a source, as the response to the first request describes it. */
export interface RemoteContent {
  readonly size: number
  readonly body: Readable
}

export interface RemoteFile {
  /** Opens the file. Throws TransferFailed. */
  open(): Promise<RemoteContent>
  /** Opens the rest of the same content that was opened first. Throws TransferFailed. */
  openFrom(offset: number): Promise<Readable>
  /** Converts any error of a body to TransferFailed. */
  toBreak(error: unknown): TransferFailed
}

/** The bytes of a file, over as many connections as needed. */
export async function* readOn(
  file: RemoteFile,
  { size, body: first }: RemoteContent,
  breaks: Breaks,
): AsyncGenerator<Uint8Array> {
  let body = first
  let reached = 0
  try {
    for (;;) {
      try {
        for await (const chunk of body) {
          reached += chunk.length
          yield chunk
        }
        if (reached >= size) return
        throw new TransferFailed(failure('source_unreachable', { detail: 'ended early' }))
      } catch (error) {
        await breaks.survive(file.toBreak(error), reached)
        body = await retryBroken(breaks, reached, () => file.openFrom(reached))
      }
    }
  } finally {
    body.destroy()
  }
}
