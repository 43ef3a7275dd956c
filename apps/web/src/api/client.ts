import { wait } from '../lib/wait.ts'
import { bearer, forgetBearer } from '../session/bearer.ts'
import { ApiError, toApiError, toError } from './api-error.ts'

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Makes a repeated POST safe: the service runs it once. */
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
}

// Restarts of the service and limits per minute are waited for; a user would only press the button again.
const tries = 5
const longestWaitS = 20
// A request over a dead connection gets neither an answer nor an error.
const answerMs = 60_000

/** Calls the API as the signed-in user and returns the parsed answer. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<T> {
  const isSafe = (options.method ?? 'GET') === 'GET' || options.idempotencyKey !== undefined
  for (let n = 1; ; n += 1) {
    const limit = AbortSignal.timeout(answerMs)
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
    try {
      const response = await send(path, { ...options, signal })
      return (response.status === 204 ? undefined : await response.json()) as T
    } catch (error) {
      const cause = limit.aborted ? toError(error) : error
      if (options.signal?.aborted || !(cause instanceof ApiError) || !cause.mayPass || !isSafe || n === tries)
        throw cause
      const delayS = Math.min(longestWaitS, cause.retryAfterS ?? 2 ** n / 2)
      await wait(delayS * 1000, options.signal)
    }
  }
}

/** Sends one request, again with a new token if the first has expired, and returns a 2xx response. */
export async function send(path: string, options: CallOptions = {}): Promise<Response> {
  const response = await sendOnce(path, options)
  if (response.ok) return response
  if (response.status === 401 && (await forgetBearer())) {
    const second = await sendOnce(path, options)
    if (second.ok) return second
    throw await toApiError(second)
  }
  throw await toApiError(response)
}

async function sendOnce(path: string, { method = 'GET', body, signal, idempotencyKey, headers }: CallOptions) {
  const token = await bearer()
  const init: RequestInit = {
    method,
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...headers,
    },
    // The API ignores cookies.
    credentials: 'omit',
    cache: 'no-store',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }
  return fetch(path, init).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new ApiError(0, { msg: cause instanceof Error ? cause.message : '' })
  })
}
