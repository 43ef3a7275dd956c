const MiB = 2 ** 20
// The service refuses at the first block: by then little of the file has been sent.
const firstBlock = 64 * 1024
// Blocks are streamed, so their size costs no memory. It is the amount that is sent again when a block breaks off.
const usualBlock = 16 * MiB
/** The maximum of the protocol. */
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
