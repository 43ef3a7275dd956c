import type { KeyHolder } from '@lathe/accounts'
import { Problem } from '@lathe/domain'

/** Whether a key may be used from this IP address. */
export function isAllowedFrom(holder: Pick<KeyHolder, 'allowedFrom'> | undefined, address: string): boolean {
  return holder?.allowedFrom?.has(address) ?? true
}

/** Refuses a key that is not allowed from this IP address. */
export function requireAddress(holder: KeyHolder, address: string): void {
  if (isAllowedFrom(holder, address)) return
  throw new Problem('forbidden', { msg: `The API key may not be used from ${address}: see its allowedIps.` })
}
