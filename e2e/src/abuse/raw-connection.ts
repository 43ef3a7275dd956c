import { connect, type Socket } from 'node:net'

/** Counts of what the attackers got. */
export interface Tally {
  opened: number
  cut: number
  /** Responses by status. */
  readonly statuses: Record<string, number>
}

export interface RawAttacker {
  /** The loopback address it connects from. */
  readonly from: string
  readonly url: string
  readonly tally: Tally
  readonly signal: AbortSignal
}

// How soon a hostile client returns after it was cut off or refused: sooner than Retry-After allows.
const backAfterMs = 2500

/**
 * Keeps one connection to the service open during the attack: reopens it when it is cut. On plain sockets, because no
 * HTTP client sends or reads as attackers do.
 */
export function keepOpen({ from, url, tally, signal }: RawAttacker, begin: (socket: Socket) => void): void {
  const { hostname, port } = new URL(url)
  function open(): void {
    if (signal.aborted) return
    const socket = connect({ host: hostname, port: Number(port), localAddress: from })
    const close = () => void socket.destroy()
    socket.on('error', () => undefined)
    socket.once('connect', () => {
      tally.opened += 1
      begin(socket)
    })
    socket.on('data', (bytes: Buffer) => {
      for (const [, status = ''] of bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
      }
    })
    socket.once('close', () => {
      signal.removeEventListener('abort', close)
      if (signal.aborted) return
      tally.cut += 1
      setTimeout(open, backAfterMs).unref()
    })
    signal.addEventListener('abort', close)
  }
  open()
}

/** Repeats a step while a socket is open. */
export function whileOpen(socket: Socket, everyMs: number, step: () => void): void {
  const timer = setInterval(step, everyMs)
  socket.once('close', () => clearInterval(timer))
}
