import { ApiError, toApiError } from '../api/api-error.ts'

// A request over a dead connection gets neither an answer nor an error, and all other calls wait for its token.
const answerMs = 60_000

/** Calls `/auth`, the only path that accepts the session cookie. */
export async function callAuth<T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const response = await fetch(`/auth/${path}`, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(answerMs),
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new ApiError(0, { msg: cause instanceof Error ? cause.message : '' })
  })
  if (!response.ok) throw await toApiError(response)
  return (response.status === 204 ? undefined : await response.json()) as T
}
