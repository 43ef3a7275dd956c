import { inFlight, pieceSize } from './read-pieces.ts'
import type { Handle, SftpSession } from './session.ts'

interface Writing {
  readonly from: number
  /** Called with the position up to which everything has arrived. */
  confirm(reached: number): void
}

/** Writes the bytes of a source, several pieces at once. */
export async function writePieces(
  session: SftpSession,
  handle: Handle,
  source: AsyncIterable<Uint8Array>,
  { from, confirm }: Writing,
): Promise<void> {
  const sent: { readonly arrival: Promise<void>; readonly end: number }[] = []
  let at = from

  async function awaitFirst(): Promise<void> {
    const first = sent.shift()
    if (!first) return
    await session.within(first.arrival)
    confirm(first.end)
  }

  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += pieceSize) {
      if (sent.length === inFlight) await awaitFirst()
      const length = Math.min(pieceSize, chunk.length - start)
      const piece = Buffer.from(chunk.buffer, chunk.byteOffset + start, length)
      const arrival = session.write(handle, piece, at)
      // Writes after the first one that fails are never awaited.
      arrival.catch(() => {})
      at += length
      sent.push({ arrival, end: at })
    }
  }
  while (sent.length > 0) await awaitFirst()
}
