import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

/** An open connection and its actual remote address. */
export interface Connection {
  readonly socket: Duplex
  readonly remoteAddress: string | undefined
}

/** Opens a TCP connection to an address, never to a name. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Connection>

/** Opens real connections. The signal only limits connecting. */
export const systemDial: Dial = async (address, port, signal) => {
  const socket = connect({ host: address, port, noDelay: true, keepAlive: true })
  // The user of the socket handles its errors. An error while no one listens must not end the process.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal })
    return { socket, remoteAddress: socket.remoteAddress }
  } catch (error) {
    socket.destroy()
    throw error
  }
}
