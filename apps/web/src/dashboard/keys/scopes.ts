import type { KeyScope } from '@lathe/contract'

/**
 * All scopes, and whether they are set by default. Only types are imported from the contract, so the values are
 * repeated here; the compiler checks them.
 */
const usual: Readonly<Record<KeyScope, boolean>> = {
  'task.read': true,
  'task.write': true,
  'webhook.read': true,
  'webhook.write': true,
  'account.read': true,
  'account.write': false,
}

export const scopes = Object.keys(usual) as KeyScope[]
export const usualScopes: readonly KeyScope[] = scopes.filter((scope) => usual[scope])
