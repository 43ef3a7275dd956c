import { isIPv6 } from 'node:net'
import type { KeyHolder } from '@lathe/accounts'
import { Problem } from '@lathe/domain'

/**
 * The network an IP address is counted as: IPv4 as it is, IPv6 by its /64, because one client usually has a whole /64.
 */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  const [, embedded] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (embedded !== undefined) return embedded
  if (!isIPv6(address)) return address
  const [plain = ''] = address.split('%', 1)
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])]
  const prefix = all.slice(0, bits / 16).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/${bits}`
}

/** Whether a key may be used from this IP address. */
export function isAllowedFrom(holder: Pick<KeyHolder, 'allowedFrom'> | undefined, address: string): boolean {
  return holder?.allowedFrom?.has(address) ?? true
}

/** Refuses a key that is not allowed from this IP address. */
export function requireAddress(holder: KeyHolder, address: string): void {
  if (isAllowedFrom(holder, address)) return
  throw new Problem('forbidden', { msg: `The API key may not be used from ${address}: see its allowedIps.` })
}
