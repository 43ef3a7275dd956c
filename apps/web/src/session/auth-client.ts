import { ApiError, toApiError } from '../api/api-error.ts'

// A request over a connection that has died unnoticed has no answer and no error, and every other call waits for its token.
const answerMs = 60_000

/** Calls `/auth`, the one place where the session's cookie counts. */
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
