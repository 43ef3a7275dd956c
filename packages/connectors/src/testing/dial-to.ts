import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Dial } from '@lathe/outbound'

/**
 * Dials a loopback port, whichever port was requested: the way to a proxy that the payload does not know. `open` holds
 * the connections until they are closed.
 */
export function dialTo(port: number, open: Set<Socket> = new Set()): Dial {
  return async (address, _port, signal) => {
    if (address !== '127.0.0.1') throw new Error('tests dial loopback alone')
    const socket = connect({ host: address, port, noDelay: true })
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    await once(socket, 'connect', { signal })
    return { socket, remoteAddress: socket.remoteAddress }
  }
}
