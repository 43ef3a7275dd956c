import type { Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { Client } from 'undici'
import type { OutboundLimits } from './config.ts'
import type { Target } from './target.ts'

/** A request that was answered: the headers are complete, the body is still arriving. */
export interface Exchange {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
  /** Closes the connection at any time. */
  close(): void
}

/** The method and body of a request. */
export interface RequestContent {
  readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT'
  /** A stream needs a `content-length` header, and is read only as fast as it is sent. Its creator destroys it. */
  readonly body?: Readable | Uint8Array | string
}

interface ExchangeOptions extends RequestContent {
  readonly headers: Readonly<Record<string, string>>
  readonly limits: OutboundLimits
  readonly signal: AbortSignal
}

/** Sends one request over a connection that serves nothing else. Rejects when no valid response arrives in time. */
export async function exchange(socket: Duplex, target: Target, options: ExchangeOptions): Promise<Exchange> {
  const { limits, signal, method } = options
  const late = new AbortController()
  // undici's own timer restarts with each informational response. This one does not.
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
    // Redirects and refusals close the body unread, which emits an error.
    answer.body.on('error', () => {})
    return { status: answer.statusCode, headers: toHeaders(answer.headers), body: answer.body, close }
  } catch (error) {
    close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A chunk that is read counts as a sign of life. The caller keeps the body: an early end does not destroy it. */
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

// A Client, not an Agent or fetch: it follows no proxy variables and no redirects, and opens no second connection.
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
      // Deferred, because undici loses the request when this is called synchronously.
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

// undici reads header bytes as Latin-1. Filenames and redirects are UTF-8 in practice.
function toText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? value : text
}
