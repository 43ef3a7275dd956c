import { randomUUID } from 'node:crypto'
import { afterGrace } from '@lathe/runtime'
import { type Breaks, createBreaks } from '../breaks.ts'
import type { ExportFile } from '../connector.ts'
import { createFileParts, type FileParts } from '../file-parts.ts'
import { retryBroken } from '../retry-broken.ts'
import { sendBody } from '../send-body.ts'
import type { Blob } from './container.ts'

const MiB = 2 ** 20
// The service refuses at the first block: by then little of the file has been sent.
const firstBlock = 64 * 1024
// Blocks are streamed, so their size costs no memory. It is the amount that is sent again when a block breaks off.
const usualBlock = 16 * MiB
/** The maximum of the protocol. */
const maxBlocks = 50_000

interface PlannedBlock {
  readonly start: number
  readonly length: number
}

/** Cuts a file into blocks. */
export function planBlocks(size: number): readonly PlannedBlock[] {
  const blockSize = Math.max(usualBlock, Math.ceil(size / (maxBlocks - 1)))
  const blocks: PlannedBlock[] = []
  for (let start = 0; start < size; ) {
    const length = Math.min(start === 0 ? firstBlock : blockSize, size - start)
    blocks.push({ start, length })
    start += length
  }
  return blocks
}

/** An upload of a file to a blob. */
interface BlobPut {
  readonly file: ExportFile
  readonly signal: AbortSignal
  /** Called with the number of bytes read so far. */
  reached(bytes: number): void
}

/**
 * Uploads a file as blocks that become the blob all at once. The blocks of a failed upload are invisible, cannot be
 * deleted, and are dropped by the service within a week.
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
  // Not aborted at once: when a task is stopped, it should be known whether the blob exists.
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

// All block IDs of a blob must have the same length, also those of unfinished uploads by others: this is the usual one.
function blockId(prefix: string, index: number): string {
  return Buffer.from(`${prefix}${String(index).padStart(12, '0')}`).toString('base64')
}
