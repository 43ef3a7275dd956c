import type { ApiKey, ApiKeyWithText, KeyScope } from '@lathe/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, send } from '../../api/client.ts'
import { queries } from '../../app/queries.ts'

const path = '/v1/account/keys'

/** A key to create. */
export interface NewKey {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly expiresAt?: string
  readonly allowedIps?: readonly string[]
}

/** The valid keys, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => {
    const { keys } = await call<{ keys: readonly ApiKey[] }>(path, { signal })
    return keys.filter(({ revokedAt }) => revokedAt === null).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  },
})

const refresh = () => queries.invalidateQueries({ queryKey: keysQuery.queryKey })

/** Creates a key. Its text is shown once. */
export async function createKey(key: NewKey): Promise<ApiKeyWithText> {
  const made = await call<ApiKeyWithText>(path, { method: 'POST', json: key })
  await refresh()
  return made
}

export async function renameKey(id: string, name: string): Promise<void> {
  await call(`${path}/${id}`, { method: 'PATCH', json: { name } })
  await refresh()
}

/** Sets the IP addresses and ranges from which a key may be used; null for any. */
export async function limitKey(id: string, allowedIps: readonly string[] | null): Promise<void> {
  await call(`${path}/${id}`, { method: 'PATCH', json: { allowedIps } })
  await refresh()
}

export async function revokeKey(id: string): Promise<void> {
  await send(`${path}/${id}`, { method: 'DELETE' })
  await refresh()
}
