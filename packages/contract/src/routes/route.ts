import type { Operation } from '@lathe/operations'
import type { TObject, TSchema } from 'typebox'
import { errorCodesOf } from '../http-errors.ts'
import { ErrorView } from '../schemas/error-view.ts'
import type { KeyScope } from '../scopes.ts'

/** The required permission: a scope of the API key, or none. */
export type Scope = KeyScope | 'public'

/** One response of an endpoint; without a schema the body is empty or not JSON. */
export interface RouteResponse {
  readonly description: string
  readonly schema?: TSchema
  /** One or several; `application/json` by default. */
  readonly mediaType?: string | readonly string[]
}

/** One endpoint of the API. */
export interface Route {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** In OpenAPI style: `/v1/process/jobs/{jobId}`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly scope: Scope
  /** The task operation this endpoint creates, if any. */
  readonly operation?: Operation
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** The media type of the body; `application/json` by default. */
  readonly bodyMediaType?: string
  /** The largest body, if it may be larger than `limits.bodyBytes` because it may contain files. */
  readonly bodyBytes?: number
  /** Whether the body is optional. */
  readonly bodyOptional?: boolean
  /** Whether `Prefer: wait` is supported. */
  readonly waits?: boolean
  /** Whether `Last-Event-ID` is supported. */
  readonly resumes?: boolean
  /** Whether it is part of the tus protocol, which has its own headers. */
  readonly tus?: boolean
  /** Whether a token of the job in the path, or of the job of the task in the path, is enough. */
  readonly takesJobTokens?: boolean
  readonly responses: Readonly<Record<number, RouteResponse>>
}

interface ErrorNeeds {
  readonly scope: Scope
  /** Addresses a single resource. */
  readonly single?: boolean
  /** Supports `Idempotency-Key`. */
  readonly idempotent?: boolean
  /** Is part of the tus protocol. */
  readonly tus?: boolean
  /** Answers with something other than JSON, so `Accept` does not matter. */
  readonly anyAccept?: boolean
}

/** The error responses of an endpoint, derived from its properties. */
export function errorsFor({ scope, single, idempotent, anyAccept, tus }: ErrorNeeds): Record<number, RouteResponse> {
  // Every route can return 403: plain HTTP is refused with it.
  const statuses = [400, 403, 405, 429, 500, 503]
  if (scope !== 'public') statuses.push(401)
  if (single) statuses.push(404)
  if (!anyAccept) statuses.push(406)
  if (idempotent) statuses.push(409, 410)
  if (tus) statuses.push(409, 412, 415, 423)
  return Object.fromEntries(statuses.map((status) => [status, errorResponse(status)]))
}

const meanings: Readonly<Record<number, string>> = {
  400: 'A parameter is invalid.',
  401: 'The API key is missing or invalid.',
  403: 'Access is denied: the key lacks the scope, or the request came over plain HTTP.',
  404: 'There is no such resource, or it belongs to someone else.',
  405: 'The path does not answer this method; `Allow` names those it does.',
  406: 'Another format than JSON was asked for.',
  409: 'The `Idempotency-Key` was used with another request, or an upload is at another offset.',
  410: 'What the first request with this `Idempotency-Key` created was deleted or has expired.',
  412: 'The request is not of the version of tus that uploads speak.',
  415: 'The bytes of an upload have another media type than tus asks for.',
  423: 'Another request sends to the upload at this moment.',
  460: 'The bytes do not have the checksum that was sent with them.',
  429: 'Too many requests; wait for the seconds in `Retry-After`.',
  500: 'Something broke on our side.',
  503: 'The database or the storage is unavailable; try again after `Retry-After`.',
}

/** The response for an error status. */
export function errorResponse(status: number): RouteResponse {
  const codes = errorCodesOf(status).map((code) => `\`${code}\``)
  return { description: `${meanings[status]} \`errorCode\`: ${codes.join(', ')}.`, schema: ErrorView }
}
