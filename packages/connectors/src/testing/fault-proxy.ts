import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What fails during the transfer, and when. */
export interface Fault {
  /** A cut closes the connection. A stall keeps it open and silent. */
  readonly kind: 'cut' | 'stall'
  /** Bytes, in both directions together, that pass before the first fault. */
  readonly after: number
  /** How often it occurs. By default every later connection fails too, once it carries more than small requests. */
  readonly times?: number
}

/** A TCP proxy on loopback between a connector and its server. */
export interface FaultProxy extends AsyncDisposable {
  readonly port: number
  /** Starts counting. Without a fault everything passes. */
  plan(fault?: Fault): void
  /** How often the planned fault occurred. */
  hits(): number
}

// Signing in, listing and cleaning up need less than this; a file under test needs more.
const smallTalk = 64 * 1024

/** Starts a proxy to a loopback port. */
export async function startFaultProxy(port: number): Promise<FaultProxy> {
  let fault: Fault | undefined
  let carried = 0
  let hits = 0
  const open = new Set<Socket>()

  /** Whether this chunk, after which its connection has carried `own` bytes, triggers the fault. */
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
          // Unread data fills the sender's buffers, as with a peer that hangs.
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
