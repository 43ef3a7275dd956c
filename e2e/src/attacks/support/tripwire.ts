import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Listeners on loopback that must never be reached. */
export interface Tripwire extends AsyncDisposable {
  /** Accepts any TCP connection: HTTP, WebSocket, SMTP, Redis or raw. */
  readonly port: number
  /** Receives any datagram, like a DNS server. */
  readonly udpPort: number
  /** All hits so far, each with its kind and its first bytes. */
  hits(): readonly string[]
}

export async function openTripwire(): Promise<Tripwire> {
  const hits: string[] = []
  const tcp = createServer((socket) => {
    const at = hits.push('TCP ') - 1
    socket.on('data', (bytes) => {
      if ((hits[at] ?? '').length < 200) hits[at] += bytes.toString('latin1', 0, 200)
    })
    socket.on('error', () => {})
    socket.setTimeout(2_000, () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const udp = createSocket('udp4', (bytes) => void hits.push(`UDP ${bytes.toString('latin1', 0, 200)}`))
  await once(udp.bind(0, '127.0.0.1'), 'listening')
  return {
    port: (tcp.address() as AddressInfo).port,
    udpPort: udp.address().port,
    hits: () => [...hits],
    async [Symbol.asyncDispose]() {
      tcp.close()
      udp.close()
    },
  }
}
