const MiB = 2 ** 20
// Refusals come in answer to the first block: little of the file has been sent by then.
const firstBlock = 64 * 1024
// Blocks are streamed, so their size costs no memory: it is what is sent again when one breaks off.
const usualBlock = 16 * MiB
/** The most the protocol knows. */
const maxBlocks = 50_000

export interface PlannedBlock {
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
