import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'

/** A server on a free loopback port. Disposing closes it. */
export interface LoopbackServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** The number of open connections. */
  connections(): number
}

/** Serves HTTP with this listener. */
export function serveHttp(listener: RequestListener): Promise<LoopbackServer> {
  return listen(createHttpServer(listener))
}

/** Calls `answer` for each connection once the request has arrived: for bytes that no HTTP library would send. */
export function serveRaw(answer: (socket: Socket) => void): Promise<LoopbackServer> {
  return listen(createTcpServer((socket) => socket.once('data', () => answer(socket))))
}

/** Starts any server on loopback. */
export async function listen(server: Server): Promise<LoopbackServer> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    connections: () => open.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Writes as long as the other side reads. Stops at `limit` bytes, so that a broken guard cannot fill the machine. */
export async function flood(socket: Socket, chunk: Uint8Array | string, limit: number): Promise<number> {
  let sent = 0
  while (sent < limit && !socket.destroyed) {
    sent += chunk.length
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
  }
  return sent
}

/** Writes a first chunk, then a small one at every interval, forever. */
export function drip(first: string, drop: string, everyMs: number): Promise<LoopbackServer> {
  return serveRaw((socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(drop), everyMs)
    socket.on('close', () => clearInterval(timer))
  })
}
