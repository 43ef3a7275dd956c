import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** Listeners of the worker that no engine may reach: a network namespace and a filter must block all of them. */
export interface Tripwires extends AsyncDisposable {
  readonly ports: { readonly tcp4: number; readonly tcp6: number; readonly udp: number }
  readonly sockets: { readonly path: string; readonly abstract: string }
  /** The listeners that were reached. */
  touched(): readonly string[]
}

/** Opens one listener of each kind on loopback, and a socket file in a folder that the sandbox's uid could enter. */
export async function openTripwires(folder: string): Promise<Tripwires> {
  const touched = new Set<string>()
  const sockets = { path: join(folder, 'socket'), abstract: `lathe-${randomBytes(8).toString('hex')}` }
  const listen = async (name: string, target: Parameters<Server['listen']>[0] & object): Promise<Server> => {
    const server = createServer((socket) => {
      touched.add(name)
      socket.destroy()
    })
    await once(server.listen(target), 'listening')
    return server
  }
  const tcp4 = await listen('TCP over IPv4', { host: '127.0.0.1', port: 0 })
  // A machine without IPv6 has no such listener.
  const tcp6 = await listen('TCP over IPv6', { host: '::1', port: 0 }).catch(() => undefined)
  const path = await listen('a socket file', { path: sockets.path })
  await chmod(sockets.path, 0o777)
  const abstract = await listen('an abstract socket', { path: `\0${sockets.abstract}` })
  const udp = createSocket('udp4', () => touched.add('UDP'))
  await once(udp.bind(0, '127.0.0.1'), 'listening')
  const portOf = (server: Server | undefined) => (server?.address() as AddressInfo | undefined)?.port ?? 9
  return {
    ports: { tcp4: portOf(tcp4), tcp6: portOf(tcp6), udp: udp.address().port },
    sockets,
    touched: () => [...touched],
    async [Symbol.asyncDispose]() {
      for (const server of [tcp4, tcp6, path, abstract]) server?.close()
      udp.close()
    },
  }
}
