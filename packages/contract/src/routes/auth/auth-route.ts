import type { TSchema } from 'typebox'
import { ErrorView } from '../../schemas/error-view.ts'
import type { Route, RouteResponse } from '../route.ts'

/** Who may call: anyone, anyone but a session changes the answer, or only a signed-in user. */
export type AuthAccess = 'public' | 'optional' | 'session'

/** One endpoint under /auth, for the web app. */
export interface AuthRoute
  extends Pick<Route, 'path' | 'operationId' | 'summary' | 'description' | 'params' | 'query' | 'body' | 'responses'> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly tag: AuthTag
  readonly access: AuthAccess
}

/** The groups of endpoints, and when they exist. */
export const authTags = {
  session: 'The session of a browser, and its tokens for the API. In every mode except `none`.',
  'sign-in': 'Ways to sign in. With `ACCOUNTS_MODE=accounts`.',
  profile: 'The account of the signed-in user, and its password. With `ACCOUNTS_MODE=accounts`.',
  'second-factor': 'Codes of an authenticator app (TOTP). With `ACCOUNTS_MODE=accounts`.',
  passkeys: 'Passkeys of the signed-in user. With `ACCOUNTS_MODE=accounts`.',
  teams: 'Teams, their members and invitations. With `ACCOUNTS_MODE=accounts` or `proxy`.',
  devices: 'Programs that ask for an API key. With `ACCOUNTS_MODE=accounts`.',
  administration: 'For administrators of the instance. With `ACCOUNTS_MODE=accounts` or `proxy`.',
} as const

export type AuthTag = keyof typeof authTags

/** What the error statuses mean under /auth, and their error codes. */
export const authErrors: Readonly<Record<number, string>> = {
  400: 'A field is invalid, or the body is no JSON object. `errorCode`: `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`.',
  401: 'Nobody is signed in, the session has ended, or the sign-in failed. `errorCode`: `unauthorized`.',
  403: 'The request came from another page, the user may not do this, or it came over plain HTTP. `errorCode`: `forbidden`, `https_required`.',
  404: 'There is no such resource, or the user may not see it; or a link or code is used, wrong or expired. `errorCode`: `not_found`, `link_expired`.',
  405: 'The path does not answer this method; `Allow` names those it does. `errorCode`: `method_not_allowed`.',
  406: 'Another format than JSON was asked for. `errorCode`: `not_acceptable`.',
  429: 'Too many requests or attempts; wait for the seconds in `Retry-After`. `errorCode`: `rate_limited`.',
  500: 'Something broke on our side. `errorCode`: `internal`.',
  503: 'The database or the identity provider is unavailable; try again later. `errorCode`: `unavailable`.',
}

const usual = [400, 403, 405, 406, 429, 500, 503]

/** The error responses of an endpoint: the usual ones and some more. */
export function authErrorsFor(...more: readonly (401 | 404)[]): Record<number, RouteResponse> {
  return Object.fromEntries([...usual, ...more].map((status) => [status, authError(status)]))
}

export function authError(status: number): RouteResponse {
  return { description: authErrors[status] ?? '', schema: ErrorView }
}

/** A response with a body. */
export function answer(description: string, schema: TSchema): RouteResponse {
  return { description, schema }
}

/** A response without a body. */
export const done: RouteResponse = { description: 'Done; the body is empty.' }
