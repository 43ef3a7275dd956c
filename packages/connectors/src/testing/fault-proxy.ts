import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What goes wrong on the way, and when. */
export interface Fault {
  /** A cut ends the connection; a stall keeps it open and silent. */
  readonly kind: 'cut' | 'stall'
  /** Bytes, both ways together, that pass before the first one. */
  readonly after: number
  /** By default every later connection suffers the same as soon as it carries more than a few small requests. */
  readonly times?: number
}

/** A TCP proxy on loopback between a connector and its server. */
export interface FaultProxy extends AsyncDisposable {
  readonly port: number
  /** Counts from here on; without a fault everything passes. */
  plan(fault?: Fault): void
  /** How often the planned fault came. */
  hits(): number
}

// Signing in, listing and cleaning up fit into this; a file under test does not.
const smallTalk = 64 * 1024

/** Starts a proxy to a port of loopback. */
export async function startFaultProxy(port: number): Promise<FaultProxy> {
  let fault: Fault | undefined
  let carried = 0
  let hits = 0
  const open = new Set<Socket>()

  /** Whether this piece, the last of `own` bytes over its connection, is one too many. */
  function isFatal(length: number, own: number): boolean {
    carried += length
    if (!fault || hits >= (fault.times ?? Number.POSITIVE_INFINITY)) return false
    return hits === 0 ? carried > fault.after : own > smallTalk
  }

  const server = createServer((near) => {
    const far = connect({ port, host: '127.0.0.1' })
    let own = 0
    let silent = false
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      from.on('data', (chunk) => {
        own += chunk.length
        if (silent) return
        if (isFatal(chunk.length, own)) {
          hits++
          if (fault?.kind === 'cut') return void near.destroy()
          silent = true
          // What is not read any more fills the sender's buffers, as with a peer that hangs.
          near.pause()
          far.pause()
          return
        }
        if (to.write(chunk)) return
        from.pause()
        to.once('drain', () => silent || from.resume())
      })
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    plan(next) {
      fault = next
      carried = 0
      hits = 0
    },
    hits: () => hits,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
