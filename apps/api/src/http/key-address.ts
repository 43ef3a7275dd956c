import type { KeyHolder } from '@lathe/accounts'
import { Problem } from '@lathe/domain'

/** Refuses a key that is not allowed from this IP address. */
export function requireAddress({ allowedFrom }: KeyHolder, address: string): void {
  if (!allowedFrom || allowedFrom.has(address)) return
  throw new Problem('forbidden', { msg: `The API key may not be used from ${address}: see its allowedIps.` })
}
