import { expect, it } from 'vitest'
import { createAddressList, isAddressRange } from './address-list.ts'

it.each(['192.0.2.1', '192.0.2.0/24', '0.0.0.0/0', '2001:db8::', '2001:db8::/32', '::1/128'])(
  'accepts %s as a range',
  (text) => expect(isAddressRange(text)).toBe(true),
)

it.each([
  '',
  '192.0.2',
  '192.0.2.1/33',
  '192.0.2.1/',
  '192.0.2.1/-1',
  '::1/129',
  'fe80::1%eth0',
  'host.example',
  '1/2/3',
])('refuses %j as a range', (text) => expect(isAddressRange(text)).toBe(false))

it.each([
  ['192.0.2.7', true],
  ['::ffff:192.0.2.7', true],
  ['192.0.3.7', false],
  ['2001:db8:1::9', true],
  ['2001:db9::9', false],
  ['unknown', false],
])('finds %s in the list: %s', (address, isThere) => {
  expect(createAddressList(['192.0.2.0/24', '2001:db8::/32']).has(address)).toBe(isThere)
})

it.each([
  ['192.0.2.0/24', true],
  ['192.0.2.128/25', true],
  ['192.0.2.7', true],
  ['192.0.2.0/23', false],
  ['0.0.0.0/0', false],
  ['198.51.100.7', false],
  ['2001:db8:1::/48', true],
  ['2001:db8::1', true],
  ['2001:db8::/31', false],
  ['::/0', false],
  ['::ffff:192.0.2.0/120', false],
  ['everywhere', false],
])('covers %s: %s', (range, isCovered) => {
  expect(createAddressList(['192.0.2.0/24', '2001:db8::/32']).covers(range)).toBe(isCovered)
})
