import { isIP } from 'node:net'
import { type Failure, failure } from '@lathe/domain'
import { isPublicName } from './hostname.ts'
import { isAllowedSshPort } from './ports.ts'
import type { Place } from './target.ts'

// Whatever could end the host and start something else in an address.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const notHost = /[\u0000-\u0020\u007f/\\?#@%[\]]/

/** A host and port that a user gave apart from any URL, read the way a URL's host is: `2130706433` is 127.0.0.1. */
export function parseHost(host: string, port: number): Place | Failure {
  if (!isAllowedSshPort(port)) return refused('port')
  if (isIP(host) !== 0) return { host, isAddress: true, port, secure: false }
  if (host.length > 255 || notHost.test(host) || host.includes(':')) return refused('host name')
  const name = URL.parse(`http://${host}/`)?.hostname ?? ''
  const isAddress = isIP(name) !== 0
  if (!isAddress && !isPublicName(name)) return refused('host name')
  return { host: name, isAddress, port, secure: false }
}

function refused(detail: string): Failure {
  return failure('url_forbidden', {
    detail,
    text: 'The server is not one this service may reach. Use a public host name or address, and port 22 or one above 1023.',
  })
}
