import { BlockList, isIP, SocketAddress } from 'node:net'

/** Addresses with the same first bits. */
export interface Range {
  readonly network: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** Tests an address that is given as text. */
export type AddressRule = (address: string) => boolean

/**
 * IPv4 addresses that are not clearly global: the IANA special-purpose registry, multicast, the reserved
 * quarter, and one public address on which a cloud serves its internal metadata.
 */
const special4 = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's host agent: metadata behind an address that looks public.
  '168.63.129.16/32',
])

/**
 * IANA assigns global unicast addresses from this block alone. All addresses outside it are refused: loopback, mapped
 * and compatible IPv4, NAT64, discard, segment routing, unique local, link local, site local, multicast.
 */
const unicast6 = blockList(['2000::/3'])

/** Inside the global block: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const special6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Whether an address is clearly global unicast. Anything unclear is not. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special4.check(address, 'ipv4')
    case 6:
      // A zone id names an interface of this machine.
      return !address.includes('%') && unicast6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
    default:
      return false
  }
}

/** Creates a test for addresses in the range. */
export function createRange({ network, prefix, family }: Range): AddressRule {
  const list = new BlockList()
  list.addSubnet(network, prefix, family)
  // The versions are compared first, because a BlockList treats ::ffff:a.b.c.d as the IPv4 address in it.
  const version = family === 'ipv4' ? 4 : 6
  return (address) => isIP(address) === version && !address.includes('%') && list.check(address, family)
}

/** Whether two texts name the same address. */
export function isSameAddress(a: string, b: string): boolean {
  const [left, right] = [canonical(a), canonical(b)]
  return left !== undefined && left === right
}

/** Parses a range such as 10.0.0.0/8. Throws on anything else. */
export function parseRange(text: string): Range {
  const [network = '', prefix = '', ...rest] = text.split('/')
  const version = network.includes('%') ? 0 : isIP(network)
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (version === 0 || rest.length > 0 || !(bits <= (version === 4 ? 32 : 128))) {
    throw new Error(`Not an address range: "${text}". Write it as CIDR, such as 10.0.0.0/8.`)
  }
  return { network, prefix: bits, family: version === 4 ? 'ipv4' : 'ipv6' }
}

function canonical(address: string): string | undefined {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return undefined
  return new SocketAddress({ address, family: version === 4 ? 'ipv4' : 'ipv6' }).address
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const { network, prefix, family } of ranges.map(parseRange)) list.addSubnet(network, prefix, family)
  return list
}
