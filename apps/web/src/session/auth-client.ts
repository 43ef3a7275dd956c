import { openRequest, readJson } from '@lathe/sdk'

/** Calls `/auth`, the only path that accepts the session cookie. */
export async function callAuth<T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const opened = await openRequest(`${location.origin}/auth/${path}`, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return readJson<T>(opened)
}
