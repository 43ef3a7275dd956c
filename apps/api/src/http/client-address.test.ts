import { expect, it } from 'vitest'
import { networkOf } from './client-address.ts'

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('S11: counts %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it('names the /48 of an address, and leaves IPv4 as it is', () => {
  expect(networkOf('2001:db8:1:2::9', 48)).toBe('2001:db8:1::/48')
  expect(networkOf('192.0.2.1', 48)).toBe('192.0.2.1')
})
