import { randomUUID } from 'node:crypto'
import { afterGrace } from '@lathe/runtime'
import { type Breaks, createBreaks } from '../breaks.ts'
import type { ExportFile } from '../connector.ts'
import { createFileParts, type FileParts } from '../file-parts.ts'
import { retryBroken } from '../retry-broken.ts'
import { sendBody } from '../send-body.ts'
import type { Blob } from './container.ts'
import { type PlannedBlock, planBlocks } from './plan-blocks.ts'

/** A file on its way to a blob. */
interface BlobPut {
  readonly file: ExportFile
  readonly signal: AbortSignal
  /** Told how far the file has been read. */
  reached(bytes: number): void
}

/**
 * Puts a file as blocks that become the blob all together. Those of an upload that fails are seen by nobody, cannot be
 * deleted by anybody, and are dropped by the service within a week.
 */
export async function putBlob(blob: Blob, { file, signal, reached }: BlobPut): Promise<void> {
  using parts = createFileParts(file, reached)
  const sending = { blob, parts, signal, breaks: createBreaks(signal) }
  const prefix = randomUUID()
  const ids: string[] = []
  for (const block of planBlocks(file.size)) {
    const id = blockId(prefix, ids.length)
    await retryBroken(sending.breaks, block.start, () => stage(sending, id, block))
    ids.push(id)
  }
  signal.throwIfAborted()
  // Not torn off at once: whoever stops a task wants to know whether the blob is there.
  using late = afterGrace(signal)
  await retryBroken(createBreaks(signal), 0, () =>
    blob.ask((client) => client.commitBlockList(ids, { abortSignal: late.signal })),
  )
}

interface Sending {
  readonly blob: Blob
  readonly parts: FileParts
  readonly signal: AbortSignal
  readonly breaks: Breaks
}

async function stage({ blob, parts, signal }: Sending, id: string, { start, length }: PlannedBlock): Promise<void> {
  const body = parts.read(start, length)
  try {
    await sendBody(body, signal, (abortSignal) =>
      blob.ask((client) => client.stageBlock(id, body, length, { abortSignal })),
    )
  } catch (error) {
    parts.rewind()
    throw error
  }
}

// All ids of a blob's blocks must have one length, those of others' unfinished uploads included: the one in common use.
function blockId(prefix: string, index: number): string {
  return Buffer.from(`${prefix}${String(index).padStart(12, '0')}`).toString('base64')
}
