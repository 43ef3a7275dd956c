import { type Call, createTransport, type Transport } from '@lathe/sdk'
import { bearer, forgetBearer } from '../session/bearer.ts'
import { ownFetch } from './own-fetch.ts'

// Restarts of the service and limits per minute are waited for; a user would only press the button again.
const retries = 4

let transport: Transport | undefined

/** Calls the API as the signed-in user. */
export function api(): Transport {
  transport ??= createTransport({
    baseUrl: location.origin,
    key: bearer,
    onUnauthorized: forgetBearer,
    // A key in this page is one that its user has pasted.
    dangerouslyAllowBrowser: true,
    retries,
    fetch: ownFetch,
  })
  return transport
}

/** Calls the API as the signed-in user and returns the parsed answer. */
export function call<T>(path: string, options?: Call): Promise<T> {
  return api().json<T>(path, options)
}

/** The same for answers without a body. */
export async function send(path: string, options?: Call): Promise<void> {
  await api().send(path, options)
}

/** Returns an answer of any kind with its whole body. */
export async function load(from: Transport, path: string, options: Call = {}): Promise<Response> {
  const { response, release } = await from.open(path, { ...options, headers: { accept: '*/*', ...options.headers } })
  const { status, headers } = response
  return new Response(await response.blob().finally(release), { status, headers })
}
