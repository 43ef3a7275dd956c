import type { KeyScope } from '@lathe/contract'

/** What a key may be allowed, and whether it usually is. Of the contract only types are loaded, so it stands here again; the compiler compares. */
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
