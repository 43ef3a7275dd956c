import fc from 'fast-check'
import { parse } from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { createRange, isPublic, isSameAddress, parseRange } from './address.ts'
import { refusedIpv4, refusedIpv6 } from './testing/address-spellings.ts'

// Written a second time, as numbers, so that a mistake in one table shows against the other.
const refused4: readonly (readonly [first: number, bits: number])[] = [
  [0x00_00_00_00, 8],
  [0x0a_00_00_00, 8],
  [0x64_40_00_00, 10],
  [0x7f_00_00_00, 8],
  [0xa9_fe_00_00, 16],
  [0xac_10_00_00, 12],
  [0xc0_00_00_00, 24],
  [0xc0_00_02_00, 24],
  [0xc0_58_63_00, 24],
  [0xc0_a8_00_00, 16],
  [0xc6_12_00_00, 15],
  [0xc6_33_64_00, 24],
  [0xcb_00_71_00, 24],
  [0xe0_00_00_00, 3],
  [0xa8_3f_81_10, 32],
]

function isPublic4(value: number): boolean {
  return !refused4.some(
    ([first, bits]) => Math.floor(value / 2 ** (32 - bits)) === Math.floor(first / 2 ** (32 - bits)),
  )
}

function isPublic6(groups: readonly number[]): boolean {
  const [a = 0, b = 0] = groups
  if (a < 0x2000 || a > 0x3fff) return false
  if (a === 0x2001 && (b < 0x0200 || b === 0x0db8)) return false
  return a !== 0x2002 && !(a === 0x3fff && b < 0x1000)
}

const toText4 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')

// Half of them are near an edge of a range: one before, the first, the last, one after.
const edges4 = refused4.flatMap(([first, bits]) => {
  const size = 2 ** (32 - bits)
  return [first - 1, first, first + size - 1, first + size].filter((value) => value >= 0 && value < 2 ** 32)
})
const ipv4 = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constantFrom(...edges4))

const firstGroups = [
  0, 0x64, 0x100, 0x1fff, 0x2000, 0x2001, 0x2002, 0x2003, 0x2606, 0x3ffe, 0x3fff, 0x4000, 0x5f00, 0xfc00, 0xfe80,
]
const group = fc.integer({ min: 0, max: 0xffff })
const ipv6 = fc
  .tuple(
    fc.oneof(group, fc.constantFrom(...firstGroups)),
    fc.oneof(group, fc.constantFrom(0, 0x1ff, 0x200, 0xdb7, 0xdb8, 0xdb9, 0xfff, 0x1000, 0xff9b)),
    fc.array(fc.oneof(group, fc.constant(0)), { minLength: 6, maxLength: 6 }),
  )
  .map(([a, b, rest]) => [a, b, ...rest])

describe('isPublic', () => {
  it('agrees with an independent table on any IPv4 address', () => {
    fc.assert(
      fc.property(ipv4, (value) => {
        expect(isPublic(toText4(value))).toBe(isPublic4(value))
      }),
      { numRuns: 5000 },
    )
  })

  it('agrees with an independent table on any IPv6 address, in every notation', () => {
    fc.assert(
      fc.property(ipv6, (groups) => {
        const long = groups.map((part) => part.toString(16).padStart(4, '0')).join(':')
        const short = parse(long).toString()
        expect([isPublic(long), isPublic(short)]).toEqual([isPublic6(groups), isPublic6(groups)])
      }),
      { numRuns: 5000 },
    )
  })

  it('holds nothing public that ipaddr.js calls special', () => {
    // Anycast sinks of reverse DNS and multicast relays: reachable on the public Internet.
    const open = ['unicast', 'as112', 'as112v6', 'amt']
    const toText6 = (groups: readonly number[]) => groups.map((part) => part.toString(16)).join(':')
    fc.assert(
      fc.property(fc.oneof(ipv4.map(toText4), ipv6.map(toText6)).filter(isPublic), (address) => {
        expect(open).toContain(parse(address).range())
      }),
      { numRuns: 5000 },
    )
  })

  it.each([...refusedIpv4, ...refusedIpv6])('refuses %s', (address) => {
    expect(isPublic(address)).toBe(false)
  })

  it.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.0', '172.32.0.0', '223.255.255.255'])(
    'takes %s',
    (address) => {
      expect(isPublic(address)).toBe(true)
    },
  )

  it.each(['2606:4700::1111', '2001:200::1', '2a00:1450:4001:81b::200e', '2003::1'])('takes %s', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  it.each(['', 'example.com', '8.8.8', '134744072', '010.8.8.8', '[2606:4700::1]', '2606:4700::1%eth0', ' 8.8.8.8'])(
    'refuses what is not a plain address: "%s"',
    (text) => {
      expect(isPublic(text)).toBe(false)
    },
  )
})

describe('createRange', () => {
  it('holds its own addresses, and no embedded or zoned ones', () => {
    const four = createRange(parseRange('10.1.0.0/16'))
    const six = createRange(parseRange('fd12::/32'))
    expect(['10.1.2.3', '10.2.0.1', '::ffff:10.1.2.3', 'x'].map(four)).toEqual([true, false, false, false])
    expect(['fd12::1', 'fd13::1', 'fd12::1%lo', '10.1.2.3'].map(six)).toEqual([true, false, false, false])
  })
})

describe('isSameAddress', () => {
  it('compares addresses in any notation, but not embedded ones', () => {
    expect(isSameAddress('2606:4700:0::0001', '2606:4700::1')).toBe(true)
    expect(isSameAddress('1.2.3.4', '::ffff:1.2.3.4')).toBe(false)
    expect(isSameAddress('', '')).toBe(false)
  })
})

describe('parseRange', () => {
  it.each([
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    'example.com/8',
    '/8',
    '10.0.0.0/-1',
    'fe80::%lo/64',
  ])('refuses "%s"', (text) => {
    expect(() => parseRange(text)).toThrow('Not an address range')
  })
})
