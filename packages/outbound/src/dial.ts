import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

/** An open connection and where it really ends. */
export interface Connection {
  readonly socket: Duplex
  readonly remoteAddress: string | undefined
}

/** Opens a TCP connection to an address, never to a name. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Connection>

/** Dials for real. The signal bounds the connecting only. */
export const systemDial: Dial = async (address, port, signal) => {
  const socket = connect({ host: address, port, noDelay: true, keepAlive: true })
  // Whoever uses the socket hears of its faults; one that comes while nobody does must not end the process.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal })
    return { socket, remoteAddress: socket.remoteAddress }
  } catch (error) {
    socket.destroy()
    throw error
  }
}
