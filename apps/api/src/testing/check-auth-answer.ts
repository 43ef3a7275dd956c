import { type AuthRoute, authRoutes, ErrorView } from '@lathe/contract'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** A request as sent, and its answer as received. */
export interface AuthAnswer {
  readonly method: string
  readonly url: string
  readonly sent?: unknown
  readonly status: number
  readonly body: string
}

/** The successes that were checked, as `operationId status`. */
export const checkedSuccesses = new Set<string>()

/**
 * Throws an error if an answer of /auth has a status or a body that the document does not describe, or if a request was
 * accepted that the document does not allow.
 */
export function checkAuthAnswer({ method, url, sent, status, body }: AuthAnswer): void {
  const [path = ''] = url.split('?', 1)
  if (!path.startsWith('/auth/')) return
  const where = `${method} ${path} → ${status}`
  // The mode decides which endpoints exist, and the others are unknown paths.
  if (status === 404 || status === 405) {
    checkBody(where, ErrorView, body)
    return
  }
  const route = findAuthRoute(method, path)
  const response = route?.responses[status]
  if (!route || !response) throw new Error(`${where} is not in the document: ${body.slice(0, 500)}`)
  if (status < 400) checkedSuccesses.add(`${route.operationId} ${status}`)
  if (status < 400 && route.body && !isAllowed(route.body, sent))
    throw new Error(`${where}: the request is not allowed`)
  if (response.schema) checkBody(where, response.schema, body)
  else if (body !== '') throw new Error(`${where}: the body is not empty`)
}

/** Whether the document allows a body: an empty optional field is the same as none. */
function isAllowed(schema: TSchema, sent: unknown): boolean {
  const given = Object.entries(sent ?? {}).filter(([, value]) => value !== null && value !== '')
  return Value.Check(schema, sent) || Value.Check(schema, Object.fromEntries(given))
}

/** The endpoint of a request, if the document has it. */
function findAuthRoute(method: string, path: string): AuthRoute | undefined {
  return Object.values(authRoutes).find((route) => route.method === method && matches(route.path, path))
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith('{') || part === given[i])
}

function checkBody(where: string, schema: TSchema, body: string): void {
  const value: unknown = JSON.parse(body)
  const faults = Value.Errors(schema, value).map(({ instancePath, message }) => `${instancePath} ${message}`)
  if (faults.length > 0) throw new Error(`${where}: ${faults.join('; ')}\n${body.slice(0, 2000)}`)
}
