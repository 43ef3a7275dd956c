import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A local port that no engine may reach. */
export interface Tripwire extends Disposable {
  readonly port: number
  /** The number of connections. */
  hits(): number
}

/** Listens, counts connections and never answers. */
export async function openTripwire(): Promise<Tripwire> {
  let count = 0
  const server = createServer((socket) => {
    count++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    hits: () => count,
    [Symbol.dispose]: () => void server.close(),
  }
}
