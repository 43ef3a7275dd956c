import { randomUUID } from 'node:crypto'
import type { IAllExecuteFunctions, IDataObject, IHttpRequestOptions, JsonObject } from 'n8n-workflow'
import { NodeApiError, sleep } from 'n8n-workflow'
import type { ApiError } from '../generated/types.ts'

export interface Answer<T> {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: T
}

const retryable = new Set([408, 423, 429, 500, 502, 503, 504])
const attempts = 3
// How long an outage of the service may last.
const outageMs = 600_000
const longestPauseS = 10
// Services that have answered. Another one is not waited for: its URL may be wrong.
const known = new Set<string>()
const outages = new WeakSet<object>()

/** Calls the API with the credential of the node. Requests that may succeed the next time are retried. */
export async function callApi<T>(
  context: IAllExecuteFunctions,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  {
    body,
    patient = false,
    ...options
  }: {
    body?: object
    qs?: IDataObject
    headers?: IDataObject
    timeout?: number
    /** Waits for the end of an outage. */
    patient?: boolean
  } = {},
): Promise<T> {
  const { baseUrl } = await context.getCredentials('latheApi')
  const request: IHttpRequestOptions = {
    ...options,
    method,
    url: `${withoutSlash(String(baseUrl))}${path}`,
    json: true,
    ...(body && { body }),
    // With this key a retried request takes effect once.
    headers: { ...options.headers, ...(method === 'POST' && { 'Idempotency-Key': randomUUID() }) },
  }
  const send = (one: IHttpRequestOptions) =>
    context.helpers.httpRequestWithAuthentication.call(context, 'latheApi', one) as Promise<Answer<T>>
  return (await repeat(context, request, send, patient)).body
}

/** An id as one segment of a path: whatever it is, it cannot lead to another endpoint. */
export function segment(id: string): string {
  // URLs resolve these, even if they are encoded.
  if (['', '.', '..'].includes(id)) throw new TypeError(`${JSON.stringify(id)} is not an id`)
  return encodeURIComponent(id)
}

/** Calls a link or form of the service, which contains its own secret. Waits for the end of an outage. */
export function callLink<T>(context: IAllExecuteFunctions, options: IHttpRequestOptions): Promise<Answer<T>> {
  return repeat(context, options, (one) => context.helpers.httpRequest(one) as Promise<Answer<T>>, true)
}

async function repeat<T>(
  context: IAllExecuteFunctions,
  options: IHttpRequestOptions,
  send: (options: IHttpRequestOptions) => Promise<Answer<T>>,
  patient: boolean,
): Promise<Answer<T>> {
  const { origin } = new URL(options.url)
  let awaySince: number | undefined
  let failures = 0
  const request = { timeout: 60_000, ...options, returnFullResponse: true, ignoreHttpStatusErrors: true }
  for (let pauses = 0; ; pauses += 1) {
    const [outcome] = await Promise.allSettled([send(request)])
    const answer = outcome.status === 'fulfilled' ? outcome.value : undefined
    const isAway = answer === undefined || answer.statusCode >= 502
    if (!isAway) known.add(origin)
    if (answer && answer.statusCode < 300) return answer
    awaySince ??= Date.now()
    if (!(isAway && patient && known.has(origin) && Date.now() - awaySince < outageMs)) {
      failures += 1
      const mayPass = isAway || retryable.has(answer.statusCode)
      if (failures === attempts || !mayPass) throw toError(context, outcome, isAway)
    }
    const ownS = Math.min(longestPauseS, 2 ** pauses)
    await sleep(Math.min(30, Number(answer?.headers['retry-after'] ?? ownS)) * 1000)
  }
}

/** Whether a request failed because the service, or the way to it, is down. What it works on goes on there. */
export function isOutage(error: unknown): boolean {
  return typeof error === 'object' && error !== null && outages.has(error)
}

function toError(
  context: IAllExecuteFunctions,
  outcome: PromiseSettledResult<Answer<unknown>>,
  isAway: boolean,
): NodeApiError {
  const error = toNodeError(context, outcome)
  if (isAway) outages.add(error)
  return error
}

function toNodeError(context: IAllExecuteFunctions, outcome: PromiseSettledResult<Answer<unknown>>): NodeApiError {
  if (outcome.status === 'rejected') return new NodeApiError(context.getNode(), outcome.reason as JsonObject)
  const { statusCode, body } = outcome.value
  const { msg, errors = [], requestId } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ApiError>
  const fields = errors.map((one) => `${one.path}: ${one.msg}`)
  const description = [...fields, ...(requestId ? [`Request ID: ${requestId}`] : [])].join('\n')
  const message = msg ?? `Lathe responded with status ${statusCode}`
  return new NodeApiError(context.getNode(), { message }, { message, description, httpCode: String(statusCode) })
}

/** Whether a request failed with 404. */
export function isNotFound(error: unknown): boolean {
  return (error as { httpCode?: unknown }).httpCode === '404'
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? withoutSlash(url.slice(0, -1)) : url
}
