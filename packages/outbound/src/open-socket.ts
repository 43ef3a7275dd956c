import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { connect as secureConnect } from 'node:tls'
import { type Failure, failure, isFailure } from '@lathe/domain'
import { isSameAddress } from './address.ts'
import type { Dial } from './dial.ts'
import type { Resolve } from './resolve.ts'
import type { Rules } from './rules.ts'
import type { Place } from './target.ts'
import { unreachable } from './transfer-failed.ts'

/** How to reach targets. */
export interface Route {
  readonly rules: Rules
  readonly resolve: Resolve
  readonly dial: Dial
  readonly connectMs: number
  /** Certificate authorities to trust instead of the built-in ones. */
  readonly ca?: string
}

/** Further addresses are checked, but not tried. */
const maxDials = 4

/**
 * Opens a connection to a target. The name is resolved once, every address must be permitted, only checked addresses
 * are dialed, and the remote address is checked again before a byte is written: a DNS server cannot change the answer
 * in between.
 */
export async function openSocket(target: Place, route: Route, signal: AbortSignal): Promise<Duplex | Failure> {
  const refused = route.rules.judge(target)
  if (refused) return refused
  const limit = AbortSignal.any([signal, AbortSignal.timeout(route.connectMs)])
  try {
    const addresses = target.isAddress ? [target.host] : await settled(route.resolve(target.host, limit), limit)
    if (addresses.length === 0) return failure('source_unreachable', { detail: 'no address' })
    if (!addresses.every((address) => route.rules.permits(target, address)))
      return failure('url_forbidden', { detail: 'address' })
    const socket = await dialInTurn(addresses.slice(0, maxDials), target.port, route, limit)
    if (isFailure(socket) || !target.secure) return socket
    return await secured(socket, target, route, limit)
  } catch (error) {
    signal.throwIfAborted()
    return unreachable(error)
  }
}

async function dialInTurn(
  addresses: readonly string[],
  port: number,
  route: Route,
  limit: AbortSignal,
): Promise<Duplex | Failure> {
  // Each address gets an equal share of the time, so that a dead one leaves time for the next.
  const shareMs = Math.ceil(route.connectMs / addresses.length)
  let fault: unknown
  for (const address of addresses) {
    try {
      return await dialPinned(address, port, route, AbortSignal.any([limit, AbortSignal.timeout(shareMs)]))
    } catch (error) {
      limit.throwIfAborted()
      fault = error
    }
  }
  throw fault
}

async function dialPinned(address: string, port: number, route: Route, signal: AbortSignal): Promise<Duplex | Failure> {
  const dialling = route.dial(address, port, signal)
  const { socket, remoteAddress } = await settled(dialling, signal).catch((error) => {
    dialling.then((late) => late.socket.destroy()).catch(() => {})
    throw error
  })
  socket.on('error', () => {})
  if (remoteAddress !== undefined && isSameAddress(remoteAddress, address)) return socket
  socket.destroy()
  return failure('url_forbidden', { detail: 'far end' })
}

async function secured(socket: Duplex, target: Place, route: Route, signal: AbortSignal): Promise<Duplex> {
  const secure = secureConnect({
    socket,
    host: target.host,
    // RFC 6066 forbids addresses as server names. The certificate is still checked against `host`.
    ...(target.isAddress ? {} : { servername: target.host }),
    ...(route.ca === undefined ? {} : { ca: route.ca }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  })
  secure.on('error', () => {})
  try {
    await once(secure, 'secureConnect', { signal })
    return secure
  } catch (error) {
    secure.destroy()
    socket.destroy()
    throw error
  }
}

/** The promise's outcome, or the signal's reason if that comes first: an injected part may never settle. */
async function settled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
