import { isIP } from 'node:net'
import { type Failure, failure } from '@lathe/domain'
import { isPlainName } from './hostname.ts'
import { isAllowedMailPort, isAllowedSshPort } from './ports.ts'
import type { Purpose } from './purposes.ts'
import type { Place } from './target.ts'

// Characters that could end the host and start another part of a URL.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const notHost = /[\u0000-\u0020\u007f/\\?#@%[\]]/

/** A host and port that a user gave outside of a URL, parsed like the host of a URL: `2130706433` is 127.0.0.1. */
export function parseHost(host: string, port: number, purpose?: Purpose): Place | Failure {
  const isAllowed = purpose === 'smtp' ? isAllowedMailPort : isAllowedSshPort
  if (!isAllowed(port)) return refusedHost('port')
  if (isIP(host) !== 0) return { host, isAddress: true, port, secure: false }
  if (host.length > 255 || notHost.test(host) || host.includes(':')) return refusedHost('host name')
  const name = URL.parse(`http://${host}/`)?.hostname ?? ''
  const isAddress = isIP(name) !== 0
  if (!isAddress && !isPlainName(name)) return refusedHost('host name')
  return { host: name, isAddress, port, secure: false }
}

/** Tells the owner of a task that its server may not be reached. */
export function refusedHost(detail = 'host'): Failure {
  return failure('url_forbidden', {
    detail,
    text: 'The server is not one this service may reach. Use a public host name or address, and port 22 or one above 1023.',
  })
}
