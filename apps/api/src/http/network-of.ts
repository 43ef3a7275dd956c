import { isIPv6 } from 'node:net'

/** What an address is counted as: itself, or the /64 it is in, since an IPv6 client has a whole one to itself. */
export function networkOf(address: string): string {
  const [, embedded] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (embedded !== undefined) return embedded
  if (!isIPv6(address)) return address
  const [plain = ''] = address.split('%', 1)
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])]
  const prefix = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}
