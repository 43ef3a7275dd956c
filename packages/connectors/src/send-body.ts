import type { Readable } from 'node:stream'

/** An error of our own storage while a body was sent: not the target's fault. */
export class OwnFault extends Error {
  override readonly name = 'OwnFault'

  constructor(cause: unknown) {
    super('the file to send could not be read', { cause })
  }
}

/**
 * Sends a request with a body. Client libraries pipe the body and do not notice when it ends with an error. Here such
 * an error aborts the request and is thrown as OwnFault.
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
