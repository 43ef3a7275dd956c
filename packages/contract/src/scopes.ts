/** The scopes of keys. */
export const scopes = [
  'task.read',
  'task.write',
  'webhook.read',
  'webhook.write',
  'account.read',
  'account.write',
] as const

export type KeyScope = (typeof scopes)[number]

/** The default scopes of a key: all except managing the account. */
export const usualScopes: readonly KeyScope[] = scopes.filter((scope) => scope !== 'account.write')

export function isScope(text: string): text is KeyScope {
  return (scopes as readonly string[]).includes(text)
}
