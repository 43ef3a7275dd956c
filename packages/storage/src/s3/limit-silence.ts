import type { Duplex, Readable } from 'node:stream'

/** The store stopped sending in the middle of a body. */
export class StoreSilent extends Error {
  override readonly name = 'StoreSilent'
}

/**
 * Breaks off a body when the store sends nothing for this long while its reader waits. A slow reader does not count:
 * bytes that it has not read yet are in the body's buffer.
 */
export function limitSilence<T extends Readable>(body: T, ms: number): T {
  const { socket } = body as Readable & { readonly socket?: Duplex & { setTimeout(ms: number): unknown } }
  if (!socket) return body
  const onTimeout = () => {
    if (body.readableLength === 0) body.destroy(new StoreSilent(`the store sent nothing for ${ms} ms`))
    else socket.setTimeout(ms)
  }
  socket.setTimeout(ms)
  socket.on('timeout', onTimeout)
  body.once('close', () => {
    socket.off('timeout', onTimeout)
    socket.setTimeout(0)
  })
  return body
}
