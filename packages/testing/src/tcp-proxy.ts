import { once } from 'node:events'
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net'

/** A connection through loopback that can be disturbed without the service behind it knowing. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** The given URL with this proxy's host and port. */
  through(url: string): string
  /** Passes everything on from now on. Connections that lost bytes stay silent for good. */
  pass(): void
  /**
   * Drops every byte, in both directions, of connections that are open and of those that are opened. Neither side
   * sees an end or a reset, not even when the other one closes: this is how a lost route or firewall state looks.
   */
  swallow(): void
  /** Closes connections that lost bytes at the server's end, as the keepalive of its host does in the end. */
  dropDead(): void
  /** Passes every chunk on after a pause. */
  delay(ms: number): void
  /** Resets all connections and every new one. */
  cut(): void
  /** How many connections clients have open. */
  readonly connections: number
}

type Mode = { readonly kind: 'pass' | 'swallow' | 'cut' } | { readonly kind: 'delay'; readonly ms: number }

interface Link {
  readonly client: Socket
  readonly server: Socket
  /** Whether bytes were dropped: what follows would make no sense to the receiver. */
  isDead: boolean
}

/** Listens on a free loopback port and connects each client to the target, given as a URL or a port on loopback. */
export async function startTcpProxy(target: string | number): Promise<TcpProxy> {
  const targetPort = typeof target === 'number' ? target : Number(new URL(target).port)
  const links = new Set<Link>()
  let mode: Mode = { kind: 'pass' }

  // Half open: an end is passed on as it came, and never answered by the proxy itself.
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => {})
    if (mode.kind === 'cut') return void client.resetAndDestroy()
    const server = openSocket({ host: '127.0.0.1', port: targetPort, noDelay: true, allowHalfOpen: true })
    const link: Link = { client, server, isDead: mode.kind === 'swallow' }
    client.setNoDelay(true)
    links.add(link)
    forward(link, client, server)
    forward(link, server, client)
    client.once('close', () => {
      if (!link.isDead) links.delete(link)
    })
  })

  function forward(link: Link, from: Socket, to: Socket): void {
    const send = (write: () => void) => {
      if (mode.kind === 'swallow') link.isDead = true
      if (link.isDead) return
      if (mode.kind === 'delay') setTimeout(() => !link.isDead && write(), mode.ms)
      else write()
    }
    from.on('data', (chunk) => send(() => void to.write(chunk)))
    from.on('end', () => send(() => void to.end()))
    from.on('error', () => send(() => void to.resetAndDestroy()))
  }

  function resetAll(): void {
    for (const { client, server } of links) {
      client.resetAndDestroy()
      server.resetAndDestroy()
    }
    links.clear()
  }

  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  return {
    port,
    through(url) {
      const changed = new URL(url)
      changed.hostname = '127.0.0.1'
      changed.port = String(port)
      return changed.href
    },
    pass() {
      mode = { kind: 'pass' }
    },
    swallow() {
      mode = { kind: 'swallow' }
      for (const link of links) link.isDead = true
    },
    dropDead() {
      for (const link of [...links].filter(({ isDead }) => isDead)) {
        link.server.destroy()
        if (link.client.destroyed) links.delete(link)
      }
    },
    delay(ms) {
      mode = { kind: 'delay', ms }
    },
    cut() {
      mode = { kind: 'cut' }
      resetAll()
    },
    get connections() {
      return [...links].filter(({ client }) => !client.destroyed).length
    },
    async [Symbol.asyncDispose]() {
      listener.close()
      resetAll()
      if (listener.listening) await once(listener, 'close')
    },
  }
}
