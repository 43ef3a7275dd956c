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

/** A file that a foreign host hands out. */
export interface OutboundResponse {
  readonly status: number
  /** Where the file was found after all redirects; holds no credentials. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Fails with TransferFailed when the transfer goes wrong; must be read to its end or destroyed. */
  readonly body: Readable
}

export interface GetOptions {
  readonly signal: AbortSignal
  /** Bytes of the body, after decoding. */
  readonly maxSize: number
  /** Sent to the first origin only: any of them may be a secret. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The only door to foreign hosts. */
export interface Outbound {
  /** GET with every hop checked and pinned. Never throws for a foreign host's doing: gives a Failure. */
  get(url: string, options: GetOptions): Promise<OutboundResponse | Failure>
  /** POST of a small body, answered by any status. Redirects are not followed: they are the answer. */
  send(url: string, options: SendOptions): Promise<SentAnswer | Failure>
  /** One request of any kind, answered by any status; bodies are streamed both ways. Redirects are the answer. */
  request(url: string, options: RequestOptions): Promise<RequestAnswer | Failure>
  /** A connection to an SFTP or mail server. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Duplex | Failure>
  /** Connections for one use of a library that speaks HTTP itself. */
  openAgents(signal: AbortSignal): Agents
  /** A proxy on a socket file, for a browser that has no other way out. */
  openProxy(path: string, options: ProxyOptions): Promise<EgressProxy>
  /** Why an address may not be reached, as far as it can be said without a look-up. */
  judge(url: string): Failure | undefined
}

/** The door, and behind it one for each purpose, which opens what operators allowed for that purpose as well. */
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

/** Makes the doors. Tests pass their own resolver and dialer, so that nothing they do can leave the process. */
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
    // Once gone they stay gone: a second redirect back must not bring them out again.
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

/** Credentials of a Location are left out: it is the user who knows them, not the host. */
function nextTarget(from: Target, location: string | undefined): Target | Failure {
  if (location === undefined) return failure('source_refused', { detail: 'redirect without a location' })
  const next = parseTarget(location, from.url)
  if (isFailure(next)) return next
  if (from.secure && !next.secure) return failure('url_forbidden', { detail: 'https to http' })
  return next
}

function ownHeaders(target: Target, given: GetOptions['headers'] = {}): Readonly<Record<string, string>> {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  // The host is the one that was checked, whatever a caller says.
  delete headers.host
  return target.authorization === undefined ? headers : { authorization: target.authorization, ...headers }
}
