import { expect, it } from 'vitest'
import { findAddress } from './take-shared.ts'

it.each([
  ['https://example.com/a.png', 'https://example.com/a.png'],
  ['Look at this: http://example.com/b?c=1 (nice)', 'http://example.com/b?c=1'],
  ['  HTTPS://EXAMPLE.com/x ', 'HTTPS://EXAMPLE.com/x'],
  ['javascript:alert(1)', undefined],
  ['no address at all', undefined],
  ['https://', undefined],
])('of %j the address is %j', (text, address) => {
  expect(findAddress(text)).toBe(address)
})
