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

/** Calls the API with the credential of the node. Requests that may succeed the next time are retried. */
export async function callApi<T>(
  context: IAllExecuteFunctions,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { body, ...options }: { body?: object; qs?: IDataObject; headers?: IDataObject; timeout?: number } = {},
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
  return (await repeat(context, request, send)).body
}

/** Calls a link or form of the service, which contains its own secret. */
export function callLink<T>(context: IAllExecuteFunctions, options: IHttpRequestOptions): Promise<Answer<T>> {
  return repeat(context, options, (one) => context.helpers.httpRequest(one) as Promise<Answer<T>>)
}

async function repeat<T>(
  context: IAllExecuteFunctions,
  options: IHttpRequestOptions,
  send: (options: IHttpRequestOptions) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const request = { timeout: 60_000, ...options, returnFullResponse: true, ignoreHttpStatusErrors: true }
  for (let attempt = 1; ; attempt += 1) {
    const [outcome] = await Promise.allSettled([send(request)])
    const answer = outcome.status === 'fulfilled' ? outcome.value : undefined
    if (answer && answer.statusCode < 300) return answer
    const mayPass = answer === undefined || retryable.has(answer.statusCode)
    if (attempt === attempts || !mayPass) throw toError(context, outcome)
    await sleep(Math.min(30, Number(answer?.headers['retry-after'] ?? 2 ** (attempt - 1))) * 1000)
  }
}

function toError(context: IAllExecuteFunctions, outcome: PromiseSettledResult<Answer<unknown>>): NodeApiError {
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
