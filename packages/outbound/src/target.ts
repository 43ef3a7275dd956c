import { isIP } from 'node:net'
import { type Failure, failure } from '@lathe/domain'
import { isPlainName } from './hostname.ts'
import { isAllowedPort } from './ports.ts'

/** The destination of a connection. The rules decide whether it may be reached. */
export interface Place {
  /** The host in the form for sockets and resolvers: an IPv6 address has no brackets. */
  readonly host: string
  readonly isAddress: boolean
  readonly port: number
  readonly secure: boolean
}

/** The destination of a request. */
export interface Target extends Place {
  /** Without userinfo and fragment: it may be shown and compared. */
  readonly url: URL
  /** The userinfo of the URL, as an Authorization header. */
  readonly authorization?: string
}

/** Longer than any presigned URL in use, shorter than what servers accept as a request line. */
const maxLength = 8192

// Parsers disagree on these: ours drops tabs and line breaks and reads a backslash as a slash. No URL needs them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const ambiguous = /[\u0000-\u001f\u007f\\]/

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Parses a URL given by a user or, with `base`, by a redirect. The rules for the purpose check its host later. */
export function parseTarget(text: string, base?: URL): Target | Failure {
  if (text.length > maxLength || ambiguous.test(text)) return refused('unclear or too long')
  const url = URL.parse(text, base?.href)
  const defaultPort = defaultPorts[url?.protocol ?? '']
  if (!url || defaultPort === undefined) return refused('not http or https')
  const port = url.port === '' ? defaultPort : Number(url.port)
  if (!isAllowedPort(port)) return refused('port')
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const isAddress = isIP(host) !== 0
  if (!isAddress && !isPlainName(host)) return refused('host name')
  const authorization = basicAuthorization(url)
  return { url: bare(url), host, isAddress, port, secure: url.protocol === 'https:', ...authorization }
}

function basicAuthorization({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {}
  const pair = `${decoded(username)}:${decoded(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A lone percent sign: the user meant it literally.
    return part
  }
}

function bare(url: URL): URL {
  const copy = new URL(url)
  copy.username = ''
  copy.password = ''
  copy.hash = ''
  return copy
}

function refused(detail: string): Failure {
  return failure('url_forbidden', { detail })
}
