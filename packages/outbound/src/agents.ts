import { Agent, type AgentOptions, type ClientRequest, type ClientRequestArgs } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Failure, failure, isFailure } from '@lathe/domain'
import { parseTarget, type Target } from './target.ts'
import { TransferFailed } from './transfer-failed.ts'

/**
 * Connections for a library that speaks HTTP itself, such as the client of a storage service. Each one is checked and
 * pinned like any other. A request to a forbidden host fails with TransferFailed. Disposing closes all connections.
 */
export interface Agents extends Disposable {
  readonly http: Agent
  readonly https: Agent
}

export interface AgentParts {
  readonly idleMs: number
  open(target: Target): Promise<Duplex | Failure>
}

/** Creates both agents. Connections are kept between requests and closed when idle. */
export function createAgents(parts: AgentParts): Agents {
  const http = new DoorAgent(parts, 'http:')
  const https = new DoorAgent(parts, 'https:')
  return {
    http,
    https,
    [Symbol.dispose]: () => {
      http.destroy()
      https.destroy()
    },
  }
}

const settings: AgentOptions = { keepAlive: true, maxSockets: 8, maxFreeSockets: 8 }

class DoorAgent extends Agent {
  readonly #parts: AgentParts
  readonly protocol: 'http:' | 'https:'
  readonly defaultPort: number

  constructor(parts: AgentParts, protocol: 'http:' | 'https:') {
    super(settings)
    this.#parts = parts
    this.protocol = protocol
    this.defaultPort = protocol === 'https:' ? 443 : 80
  }

  override createConnection(args: ClientRequestArgs, done: (error: Error | null, socket: Duplex) => void): undefined {
    // On failure the agent reads only the error.
    const refuse = (error: Error) => done(error, undefined as never)
    this.#open(args).then(
      (socket) => (isFailure(socket) ? refuse(new TransferFailed(socket)) : done(null, socket)),
      refuse,
    )
  }

  // Only a Socket can be kept: other streams do not support timeouts.
  override keepSocketAlive(socket: Duplex): boolean {
    return socket instanceof Socket && Boolean(super.keepSocketAlive(socket))
  }

  // The agent removes the timeout from a connection that it keeps, but the host may go silent at the next request too.
  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    super.reuseSocket(socket, request)
    if (socket instanceof Socket) socket.setTimeout(this.#parts.idleMs)
  }

  async #open({ host, port }: ClientRequestArgs): Promise<Duplex | Failure> {
    const name = host?.includes(':') ? `[${host}]` : host
    const target = parseTarget(`${this.protocol}//${name}:${port ?? this.defaultPort}`)
    if (isFailure(target)) return target
    const socket = await this.#parts.open(target)
    return isFailure(socket) ? socket : endWhenIdle(socket, this.#parts.idleMs)
  }
}

// A library may wait forever for a host that has gone silent. The socket does not.
function endWhenIdle(socket: Duplex, idleMs: number): Duplex {
  if (!(socket instanceof Socket)) return socket
  const idle = failure('source_unreachable', { detail: 'idle' })
  return socket.setTimeout(idleMs, () => socket.destroy(new TransferFailed(idle)))
}
