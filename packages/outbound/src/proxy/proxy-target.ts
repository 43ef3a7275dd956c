import { type Failure, failure, isFailure } from '@lathe/domain'
import { parseTarget, type Target } from '../target.ts'

// A name or an IPv4 address, or an IPv6 address in brackets, and always a port: RFC 9110, 9.3.6.
const authority = /^(?:\[[0-9a-f:.]{2,45}\]|[^\s[\]/\\?#@%:]{1,255}):\d{1,5}$/i

/** Where a CONNECT request wants to go: nothing but a host and a port. What is said inside is not ours to secure. */
export function parseAuthority(text: string): Target | Failure {
  if (!authority.test(text)) return failure('url_forbidden', { detail: 'not a host and a port' })
  return parseTarget(`http://${text}/`)
}

/** Where a plain request wants to go: a whole http address. Others have no business without a tunnel. */
export function parseAbsolute(text: string): Target | Failure {
  const target = parseTarget(text)
  if (isFailure(target)) return target
  return target.secure ? failure('url_forbidden', { detail: 'https without a tunnel' }) : target
}

/** A place as its refusals are kept: `host:port`, an IPv6 address in brackets. */
export function placeName({ host, port }: Pick<Target, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** The place a browser means by an address, or undefined where it names none. */
export function placeOf(url: string): string | undefined {
  const target = parseTarget(url)
  return isFailure(target) ? undefined : placeName(target)
}
