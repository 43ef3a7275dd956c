import { NodeHttpHandler } from '@smithy/node-http-handler'

/** Sockets to the store. */
export interface Sockets {
  readonly handler: NodeHttpHandler
  /** Closes idle sockets. */
  closeIdle(): void
}

/** Prepares at most this many sockets. Opens none yet. */
export function openSockets(maxSockets: number): Sockets {
  const agent = { keepAlive: true, maxSockets }
  const handler = new NodeHttpHandler({
    connectionTimeout: 3_000,
    // Until the response headers. The reader decides how long a body may take; `limitSilence` watches the store.
    requestTimeout: 60_000,
    throwOnRequestTimeout: true,
    httpAgent: agent,
    httpsAgent: agent,
  })
  function closeIdle(): void {
    const { httpAgent, httpsAgent } = handler.httpHandlerConfigs()
    for (const made of [httpAgent, httpsAgent]) {
      const idle = made && 'freeSockets' in made ? Object.values(made.freeSockets) : []
      for (const socket of idle.flatMap((sockets) => sockets ?? [])) socket.destroy()
    }
  }
  return { handler, closeIdle }
}
