import { chmod } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Failure, failure, isFailure } from '@lathe/domain'
import type { ProxyLimits } from '../config.ts'
import type { Target } from '../target.ts'
import { type Allowance, createAllowance } from './allowance.ts'
import { forward } from './forward.ts'
import { metered } from './metered.ts'
import { parseAbsolute, parseAuthority, placeName } from './proxy-target.ts'

/** The traffic of a proxy, and its failures. */
export interface ProxyReport {
  readonly requests: number
  readonly bytes: number
  /** The limit that was reached, if any. */
  readonly spent: 'requests' | 'bytes' | undefined
  /** Why targets could not be reached, by `host:port`. */
  readonly failures: ReadonlyMap<string, Failure>
}

/** An HTTP proxy for a single client, such as a browser in a sandbox. Disposing breaks all its connections. */
export interface EgressProxy extends AsyncDisposable {
  report(): ProxyReport
}

export interface ProxyParts {
  /** The socket file to listen on. */
  readonly path: string
  readonly limits: ProxyLimits
  /** Opens a connection to a target that passed every rule, or returns the reason why not. */
  open(target: Target): Promise<Duplex | Failure>
}

// Untrusted pages can name any number of hosts. This bounds how many of them are kept.
const maxFailures = 100

/** Opens a proxy for tunnels and plain requests, each to a target that the rules permit. */
export async function openProxy({ path, limits, open }: ProxyParts): Promise<EgressProxy> {
  const allowance = createAllowance(limits)
  const failures = new Map<string, Failure>()
  const sockets = new Set<Duplex>()
  const keep = <S extends Duplex>(socket: S): S => {
    sockets.add(socket)
    socket.on('error', () => {})
    return socket.once('close', () => sockets.delete(socket))
  }

  async function reach(target: Target | Failure, asked: string): Promise<Duplex | Failure> {
    const place = isFailure(target) ? asked.slice(0, 256) : placeName(target)
    const found = await reachOnce(target)
    if (isFailure(found) && failures.size < maxFailures) failures.set(place, found)
    return found
  }

  async function reachOnce(target: Target | Failure): Promise<Duplex | Failure> {
    if (!allowance.takeRequest()) return failure('limit_exceeded', { detail: `proxy: ${allowance.spent}` })
    if (isFailure(target)) return target
    const socket = await open(target).catch(() => failure('source_unreachable', { detail: 'closed' }))
    return isFailure(socket) ? socket : keep(socket)
  }

  async function onRequest(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = asked.url ?? ''
    const target = parseAbsolute(url)
    const socket = await reach(target, url)
    if (isFailure(socket) || isFailure(target)) return refuse(answer, isFailure(socket) ? socket : target)
    // A broken connection tells the browser that the response is incomplete.
    await forward(asked, answer, { socket, target, allowance }).catch(() => answer.destroy())
    socket.destroy()
  }

  async function onConnect({ url = '' }: IncomingMessage, near: Duplex, head: Buffer): Promise<void> {
    const far = await reach(parseAuthority(url), url)
    if (isFailure(far)) return void near.end(`HTTP/1.1 ${statusOf(far)} Refused\r\ncontent-length: 0\r\n\r\n`)
    near.write('HTTP/1.1 200 Connected\r\n\r\n')
    if (head.length > 0) near.unshift(head)
    await join(near, far, allowance)
  }

  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 })
  server.maxConnections = limits.connections
  server.on('connection', keep)
  server.on('request', (asked, answer) => void onRequest(asked, answer).catch(() => answer.destroy()))
  server.on('connect', (asked, near, head) => void onConnect(asked, near, head).catch(() => near.destroy()))
  server.on('clientError', (_error, near) => near.destroy())
  await listen(server, path)
  return {
    report: () => ({ requests: allowance.requests, bytes: allowance.bytes, spent: allowance.spent, failures }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Passes bytes both ways until either side ends or the allowance is used up. */
async function join(near: Duplex, far: Duplex, allowance: Allowance): Promise<void> {
  // Each side is in two pipelines, which listen for the same events.
  for (const side of [near, far]) side.setMaxListeners(20)
  try {
    await Promise.all([pipeline(near, metered(allowance), far), pipeline(far, metered(allowance), near)])
  } catch {
    near.destroy()
    far.destroy()
  }
}

function refuse(answer: ServerResponse, why: Failure | Target): void {
  const status = 'code' in why ? statusOf(why) : 403
  answer.writeHead(status, { 'content-length': 0 }).end()
}

const statusOf = ({ code }: Failure): number => (code === 'source_unreachable' ? 502 : 403)

// Everyone who can enter the folder may connect. The permissions of the folder decide who can.
async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, 0o666)
}
