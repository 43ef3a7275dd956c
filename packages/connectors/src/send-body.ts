import type { Readable } from 'node:stream'

/** A fault of our own storage, met while a body was sent: not the target's doing. */
export class OwnFault extends Error {
  override readonly name = 'OwnFault'

  constructor(cause: unknown) {
    super('the file to send could not be read', { cause })
  }
}

/**
 * Sends a request with a body. Client libraries pipe the body and never hear of its end by an error: here it tears the
 * request off and is told as OwnFault.
 */
export async function sendBody<T>(
  body: Readable,
  signal: AbortSignal,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const fault = new AbortController()
  body.on('error', (error) => fault.abort(error))
  try {
    return await send(AbortSignal.any([signal, fault.signal]))
  } catch (error) {
    signal.throwIfAborted()
    throw fault.signal.aborted ? new OwnFault(fault.signal.reason) : error
  } finally {
    body.destroy()
  }
}
