import { BlockList, isIP } from 'node:net'

/** A list of IP addresses and ranges. */
export interface AddressList {
  /** The ranges as they were given. */
  readonly ranges: readonly string[]
  has(address: string): boolean
  /** Whether one of the ranges includes all addresses of another. */
  covers(range: string): boolean
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
  const parsed = ranges.map(parseRange).filter((range) => range !== undefined)
  const list = toBlockList(parsed)
  return {
    ranges,
    has(given) {
      // An IPv4 client of a dual-stack socket appears as ::ffff:192.0.2.1, which the list matches as IPv4.
      const [address = ''] = given.split('%', 1)
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
    },
    covers(text) {
      const inner = parseRange(text)
      if (!inner) return false
      return parsed.some(
        (outer) =>
          outer.family === inner.family &&
          outer.prefix <= inner.prefix &&
          toBlockList([outer]).check(inner.address, inner.family),
      )
    },
  }
}

function toBlockList(ranges: readonly Range[]): BlockList {
  const list = new BlockList()
  for (const { address, prefix, family } of ranges) list.addSubnet(address, prefix, family)
  return list
}

function parseRange(text: string): Range | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined
  const most = version === 6 ? 128 : 32
  const prefix = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  return prefix <= most ? { address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' } : undefined
}
