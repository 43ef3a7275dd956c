import { BlockList, isIP } from 'node:net'

/** A list of IP addresses and ranges. */
export interface AddressList {
  has(address: string): boolean
}

interface Range {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** Whether a text is an IP address, or a range such as 192.0.2.0/24. */
export function isAddressRange(text: string): boolean {
  return parseRange(text) !== undefined
}

/** Creates a list from validated ranges; ignores invalid ones. */
export function createAddressList(ranges: readonly string[]): AddressList {
  const list = new BlockList()
  for (const range of ranges.map(parseRange)) if (range) list.addSubnet(range.address, range.prefix, range.family)
  return {
    has(given) {
      // An IPv4 client of a dual-stack socket appears as ::ffff:192.0.2.1, which the list matches as IPv4.
      const [address = ''] = given.split('%', 1)
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
    },
  }
}

function parseRange(text: string): Range | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined
  const most = version === 6 ? 128 : 32
  const prefix = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  return prefix <= most ? { address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' } : undefined
}
