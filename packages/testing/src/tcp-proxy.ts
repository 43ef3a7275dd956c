import { once } from 'node:events'
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net'

/** A loopback connection that tests can disturb without the knowledge of the service behind it. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** The given URL with this proxy's host and port. */
  through(url: string): string
  /** Forwards everything from now on. Connections that lost bytes stay silent. */
  pass(): void
  /**
   * Drops every byte, in both directions, of open and new connections. Neither side sees an end or a reset, not even
   * when the other one closes: a lost route or lost firewall state looks like this.
   */
  swallow(): void
  /** Connects new clients to another port on loopback; open connections stay where they are. */
  retarget(port: number): void
  /** Closes connections that lost bytes on the server's side, as the keepalive of its host eventually does. */
  dropDead(): void
  /** Forwards every chunk after a delay. */
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
  /** Whether bytes were dropped: later bytes would make no sense to the receiver. */
  isDead: boolean
}

/** Listens on a free loopback port and connects each client to the target, given as a URL or a port on loopback. */
export async function startTcpProxy(target: string | number): Promise<TcpProxy> {
  let targetPort = typeof target === 'number' ? target : Number(new URL(target).port)
  const links = new Set<Link>()
  let mode: Mode = { kind: 'pass' }

  // Half open: the proxy forwards an end as it came and never answers it itself.
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
    retarget(next) {
      targetPort = next
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
