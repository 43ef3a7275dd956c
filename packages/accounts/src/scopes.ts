/** What a key may be allowed to do. A key has all of them unless it was narrowed. */
export const scopes = ['task.read', 'task.write', 'webhook.read', 'webhook.write', 'account.read'] as const

export type Scope = (typeof scopes)[number]

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}
