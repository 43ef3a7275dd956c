import type { Duplex, Readable } from 'node:stream'
import { type Failure, failure, isFailure } from '@lathe/domain'
import { type Agents, createAgents } from './agents.ts'
import { judgeStatus } from './answer.ts'
import { ask, type Transport } from './ask.ts'
import { openBody } from './body.ts'
import {
  defaultLimits,
  defaultProxyLimits,
  type OutboundConfig,
  type OutboundLimits,
  type ProxyLimits,
} from './config.ts'
import { type Dial, systemDial } from './dial.ts'
import type { Exchange } from './exchange.ts'
import { parseHost, refusedHost } from './host.ts'
import { openSocket, type Route } from './open-socket.ts'
import { type EgressProxy, openProxy } from './proxy/open-proxy.ts'
import type { Purpose } from './purposes.ts'
import { type RequestAnswer, type RequestOptions, request } from './request.ts'
import { type Resolve, systemResolve } from './resolve.ts'
import { createRules } from './rules.ts'
import { type SendOptions, type SentAnswer, send } from './send.ts'
import { parseTarget, type Target } from './target.ts'

/** A file that a remote host serves. */
export interface OutboundResponse {
  readonly status: number
  /** The final URL after all redirects, without credentials. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Fails with TransferFailed when the transfer breaks. Must be read to its end or destroyed. */
  readonly body: Readable
}

export interface GetOptions {
  readonly signal: AbortSignal
  /** The most bytes of the body, after decoding. */
  readonly maxSize: number
  /** Sent only to the first origin: any header may be a secret. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The only way to reach remote hosts. */
export interface Outbound {
  /** GET with every redirect checked and pinned. Returns a Failure, and never throws, for errors of a remote host. */
  get(url: string, options: GetOptions): Promise<OutboundResponse | Failure>
  /** POST of a small body. Returns any status; redirects are not followed. */
  send(url: string, options: SendOptions): Promise<SentAnswer | Failure>
  /** One request of any kind, with streamed bodies. Returns any status; redirects are not followed. */
  request(url: string, options: RequestOptions): Promise<RequestAnswer | Failure>
  /** A connection to an SFTP or mail server. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Duplex | Failure>
  /** Connections for one use of a library that speaks HTTP itself. */
  openAgents(signal: AbortSignal): Agents
  /** A proxy on a socket file, for a browser that has no other network access. */
  openProxy(path: string, options: ProxyOptions): Promise<EgressProxy>
  /** Why a URL may not be reached, as far as it is known without a DNS lookup. */
  judge(url: string): Failure | undefined
}

/** The default Outbound, and one for each purpose, which can also reach what operators allowed for that purpose. */
export interface OutboundDoors extends Outbound, AsyncDisposable {
  for(purpose: Purpose): Outbound
}

export interface ProxyOptions {
  readonly signal: AbortSignal
  readonly limits?: Partial<ProxyLimits>
}

export interface OutboundParts {
  readonly resolve?: Resolve
  readonly connect?: Dial
  /** Certificate authorities (PEM) to trust instead of the built-in ones. */
  readonly ca?: string
}

/** Creates the doors. Tests pass their own resolver and dialer, so that no connection leaves the process. */
export function createOutbound(config: OutboundConfig, parts: OutboundParts = {}): OutboundDoors {
  const limits = { ...defaultLimits, ...config.limits }
  const closing = new AbortController()
  const open = (purpose?: Purpose) => {
    const route: Route = {
      rules: createRules(config, purpose),
      resolve: parts.resolve ?? systemResolve,
      dial: parts.connect ?? systemDial,
      connectMs: limits.connectMs,
      ...(parts.ca === undefined ? {} : { ca: parts.ca }),
    }
    return createDoor({ route, limits }, closing.signal, purpose)
  }
  return {
    ...open(),
    for: open,
    [Symbol.asyncDispose]: async () => closing.abort(new Error('The outbound door is closed.')),
  }
}

function createDoor(way: Transport, closed: AbortSignal, purpose?: Purpose): Outbound {
  const { route, limits } = way
  const untilClosed = (signal: AbortSignal) => AbortSignal.any([signal, closed])
  return {
    get: (url, options) => follow(way, url, { ...options, signal: untilClosed(options.signal) }),
    send: (url, options) => send(way, url, { ...options, signal: untilClosed(options.signal) }),
    request: (url, options) => request(way, url, { ...options, signal: untilClosed(options.signal) }),
    connect: async (host, port, signal) => {
      const place = parseHost(host, port, purpose)
      if (isFailure(place)) return place
      const refused = route.rules.judge(place)
      return refused ? refusedHost(refused.detail) : openSocket(place, route, untilClosed(signal))
    },
    openAgents: (signal) => {
      const until = untilClosed(signal)
      return createAgents({ idleMs: limits.idleMs, open: (target) => openSocket(target, route, until) })
    },
    openProxy: (path, { signal, limits: given }) => {
      const until = untilClosed(signal)
      const open = (target: Target) => openSocket({ ...target, secure: false }, route, until)
      return openProxy({ path, limits: { ...defaultProxyLimits, ...given }, open })
    },
    judge: (url) => {
      const target = parseTarget(url)
      return isFailure(target) ? target : route.rules.judge(target)
    },
  }
}

async function follow(way: Transport, url: string, options: GetOptions): Promise<OutboundResponse | Failure> {
  options.signal.throwIfAborted()
  let target = parseTarget(url)
  if (isFailure(target)) return target
  let headers = ownHeaders(target, options.headers)
  for (let redirects = 0; redirects <= way.limits.maxRedirects; redirects++) {
    const answer = await ask(way, target, { method: 'GET', headers, signal: options.signal })
    if (isFailure(answer)) return answer
    const verdict = judgeStatus(answer.status)
    if (verdict === 'file') return toResponse(answer, target, { ...options, limits: way.limits })
    answer.close()
    if (verdict !== 'redirect') return verdict
    const next = nextTarget(target, answer.headers.location)
    if (isFailure(next)) return next
    // Headers stay removed: a second redirect back to the first origin must not restore them.
    if (next.url.origin !== target.url.origin) headers = {}
    target = next
  }
  return failure('source_refused', { text: `The source redirects more than ${way.limits.maxRedirects} times.` })
}

function toResponse(
  answer: Exchange,
  target: Target,
  rules: GetOptions & { readonly limits: OutboundLimits },
): OutboundResponse | Failure {
  const body = openBody(answer, rules)
  if (!isFailure(body)) return { status: answer.status, url: target.url.href, headers: answer.headers, body }
  answer.close()
  return body
}

/** Ignores credentials in a Location: they come from the host, not from the user. */
function nextTarget(from: Target, location: string | undefined): Target | Failure {
  if (location === undefined) return failure('source_refused', { detail: 'redirect without a location' })
  const next = parseTarget(location, from.url)
  if (isFailure(next)) return next
  if (from.secure && !next.secure) return failure('url_forbidden', { detail: 'https to http' })
  return next
}

function ownHeaders(target: Target, given: GetOptions['headers'] = {}): Readonly<Record<string, string>> {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  // The Host header is that of the checked host, whatever the caller passes.
  delete headers.host
  return target.authorization === undefined ? headers : { authorization: target.authorization, ...headers }
}
