import type { ProxyConfig } from '@lathe/accounts'
import type { FastifyRequest } from 'fastify'

const nameChars = 254

/**
 * The user a proxy has signed in. Trusts only the direct peer of the connection, and only a header that occurs once.
 */
export function findProxyUser({ raw }: FastifyRequest, { addresses, header }: ProxyConfig): string | undefined {
  if (!addresses.has(raw.socket.remoteAddress ?? '')) return undefined
  const values = raw.rawHeaders.filter((_, at) => at % 2 === 1 && raw.rawHeaders[at - 1]?.toLowerCase() === header)
  const [value, ...others] = values
  if (value === undefined || others.length > 0) return undefined
  // Node decodes headers as Latin-1; proxies send UTF-8.
  const name = Buffer.from(value, 'latin1').toString('utf8').trim()
  const isName = name !== '' && name.length <= nameChars && !/[\p{Cc}\ufffd,]/u.test(name)
  return isName ? name : undefined
}
