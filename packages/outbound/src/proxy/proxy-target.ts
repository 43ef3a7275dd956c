import { type Failure, failure, isFailure } from '@lathe/domain'
import { parseTarget, type Target } from '../target.ts'

// A name or an IPv4 address, or an IPv6 address in brackets, and always a port: RFC 9110, 9.3.6.
const authority = /^(?:\[[0-9a-f:.]{2,45}\]|[^\s[\]/\\?#@%:]{1,255}):\d{1,5}$/i

/** The target of a CONNECT request: only a host and a port. Securing the traffic inside is up to the client. */
export function parseAuthority(text: string): Target | Failure {
  if (!authority.test(text)) return failure('url_forbidden', { detail: 'not a host and a port' })
  return parseTarget(`http://${text}/`)
}

/** The target of a plain request: a complete http URL. Other URLs need a tunnel. */
export function parseAbsolute(text: string): Target | Failure {
  const target = parseTarget(text)
  if (isFailure(target)) return target
  return target.secure ? failure('url_forbidden', { detail: 'https without a tunnel' }) : target
}

/** The key under which failures of a target are kept: `host:port`, with an IPv6 address in brackets. */
export function placeName({ host, port }: Pick<Target, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** The key for the target that a browser reaches for a URL, or undefined where the URL has none. */
export function placeOf(url: string): string | undefined {
  const target = parseTarget(url)
  return isFailure(target) ? undefined : placeName(target)
}
