/** What a key may be allowed to do. */
export const scopes = [
  'task.read',
  'task.write',
  'webhook.read',
  'webhook.write',
  'account.read',
  'account.write',
] as const

export type KeyScope = (typeof scopes)[number]

/** What a key may do unless it is said: all but making other keys. */
export const usualScopes: readonly KeyScope[] = scopes.filter((scope) => scope !== 'account.write')

export function isScope(text: string): text is KeyScope {
  return (scopes as readonly string[]).includes(text)
}
