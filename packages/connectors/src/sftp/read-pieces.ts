import type { Handle, SftpSession } from './session.ts'

/** The size that every server accepts in one packet. */
export const pieceSize = 32 * 1024

/** Requests in flight at once: 2 MiB saturate a connection of 160 Mbit/s with 100 ms latency. */
export const inFlight = 64

/** Reads a range with requests in parallel. Ends early where the file does. */
export async function* readPieces(
  session: SftpSession,
  handle: Handle,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<Buffer> {
  const asked: { readonly piece: Promise<Buffer>; readonly length: number }[] = []
  let next = from
  for (;;) {
    for (; asked.length < inFlight && next < to; next += pieceSize) {
      const length = Math.min(pieceSize, to - next)
      const piece = readWhole(session, handle, { at: next, length })
      // Requests after the first one that fails are never awaited.
      piece.catch(() => {})
      asked.push({ piece, length })
    }
    const first = asked.shift()
    if (!first) return
    const piece = await session.within(first.piece)
    if (piece.length > 0) yield piece
    if (piece.length < first.length) return
  }
}

/** A server may return fewer bytes than requested before the end of the file. */
async function readWhole(
  session: SftpSession,
  handle: Handle,
  { at, length }: { readonly at: number; readonly length: number },
): Promise<Buffer> {
  let piece = await session.read(handle, at, length)
  while (piece.length > 0 && piece.length < length) {
    const more = await session.read(handle, at + piece.length, length - piece.length)
    if (more.length === 0) break
    piece = Buffer.concat([piece, more])
  }
  return piece
}
