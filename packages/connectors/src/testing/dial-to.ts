import { once } from 'node:events'
import { connect } from 'node:net'
import type { Dial } from '@lathe/outbound'

/** Dials a port of loopback, whichever port was asked for: the way to a proxy that the payload knows nothing of. */
export function dialTo(port: number): Dial {
  return async (address, _port, signal) => {
    if (address !== '127.0.0.1') throw new Error('tests dial loopback alone')
    const socket = connect({ host: address, port, noDelay: true })
    socket.on('error', () => {})
    await once(socket, 'connect', { signal })
    return { socket, remoteAddress: socket.remoteAddress }
  }
}
