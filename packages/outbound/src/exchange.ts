import type { Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { Client } from 'undici'
import type { OutboundLimits } from './config.ts'
import type { Target } from './target.ts'

/** A request that was answered: the headers are here, the body is still on its way. */
export interface Exchange {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
  /** Ends the connection, whatever it is doing. */
  close(): void
}

/** What is sent. */
export interface RequestContent {
  readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT'
  /** A stream goes with a `content-length` among the headers, and is read no faster than it is sent; whoever made it destroys it. */
  readonly body?: Readable | Uint8Array | string
}

interface ExchangeOptions extends RequestContent {
  readonly headers: Readonly<Record<string, string>>
  readonly limits: OutboundLimits
  readonly signal: AbortSignal
}

/** Sends one request over a connection that serves nothing else. Rejects when no sound answer comes in time. */
export async function exchange(socket: Duplex, target: Target, options: ExchangeOptions): Promise<Exchange> {
  const { limits, signal, method } = options
  const late = new AbortController()
  // undici's own timer restarts with each informational answer; this one does not.
  const timer = setTimeout(() => late.abort(new Error('no answer in time')), limits.idleMs)
  const client = createClient(socket, target, limits)
  const close = () => {
    socket.destroy()
    void client.destroy().catch(() => {})
  }
  try {
    const answer = await client.request({
      method,
      body: options.body instanceof Readable ? watched(options.body, () => timer.refresh()) : (options.body ?? null),
      path: target.url.pathname + target.url.search,
      headers: { ...options.headers, 'accept-encoding': 'identity', 'user-agent': 'Lathe' },
      signal: AbortSignal.any([signal, late.signal]),
    })
    // Closing an unread body is how redirects and refusals end here.
    answer.body.on('error', () => {})
    return { status: answer.statusCode, headers: toHeaders(answer.headers), body: answer.body, close }
  } catch (error) {
    close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A body that is moving is a sign of life. It stays its owner's: a request that ends early does not destroy it. */
function watched(body: Readable, onMove: () => void): Readable {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of body.iterator({ destroyOnReturn: false })) {
      onMove()
      yield piece
    }
    onMove()
  }
  return Readable.from(pieces(), { objectMode: false })
}

// A Client, not an Agent or fetch: it knows no proxy variables, no redirects and no second connection.
function createClient(socket: Duplex, target: Target, limits: OutboundLimits): Client {
  let used = false
  return new Client(target.url.origin, {
    pipelining: 0,
    maxHeaderSize: limits.maxHeaderSize,
    headersTimeout: limits.idleMs,
    bodyTimeout: limits.idleMs,
    connect: (_options, done) => {
      if (used) return done(new Error('connection is spent'), null)
      used = true
      // Later, because undici forgets the request when it is called back at once.
      queueMicrotask(() => done(null, socket as Socket))
    },
  })
}

function toHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(raw).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, toText(Array.isArray(value) ? value.join(', ') : value)] as const],
  )
  return Object.fromEntries(entries)
}

// undici reads header bytes as Latin-1; names of files and redirects are UTF-8 in practice.
function toText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? value : text
}
