import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Content {
  readonly [mediaType: string]: { readonly schema?: object }
}

interface ResponseObject {
  readonly $ref?: string
  readonly content?: Content
}

interface OperationObject {
  readonly operationId: string
  readonly security: readonly { readonly apiKey: readonly string[] }[]
  readonly responses: Readonly<Record<string, ResponseObject>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly responses: Readonly<Record<string, ResponseObject>> }
}

/** One endpoint of the OpenAPI document. */
export interface ApiRoute {
  readonly method: string
  readonly path: string
  readonly operationId: string
  /** The scopes that a key needs; undefined if no key is needed. */
  readonly scopes: readonly string[] | undefined
  readonly successes: readonly number[]
}

const file = new URL('../../docs/api/openapi.json', import.meta.url)
/** The committed OpenAPI document: every response is checked against it. */
export const document: Document = JSON.parse(readFileSync(file, 'utf8'))

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': isDateTime } })
ajv.addSchema(document, 'openapi')

// Times are ISO 8601 in UTC, to the millisecond.
function isDateTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** Every endpoint in the document. */
export const apiRoutes: readonly ApiRoute[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operationId: operation.operationId,
    scopes: operation.security[0]?.apiKey,
    successes: Object.keys(operation.responses)
      .map(Number)
      .filter((status) => status < 300),
  })),
)

/** The expected response: its media types and the schema of each. */
export interface Expectation {
  readonly operationId: string
  readonly mediaTypes: ReadonlyMap<string, ValidateFunction | undefined>
}

/** What the document defines for a status of an endpoint; a message if it defines nothing. */
export function expectationOf(method: string, path: string, status: number): Expectation | string {
  const found = (asked: string) =>
    apiRoutes.find((candidate) => candidate.method === asked && matches(candidate.path, path))
  const route = found(method) ?? (method === 'HEAD' ? found('GET') : undefined)
  // An unknown path or method is also refused with the usual error body; plain HTTP is refused even before that.
  if (!route) return [403, 404, 405].includes(status) ? errorExpectation : `${method} ${path} is not in the document`
  const pointer = ['paths', route.path, route.method.toLowerCase(), 'responses', String(status)]
  const response = document.paths[route.path]?.[route.method.toLowerCase()]?.responses[String(status)]
  if (!response) return `${route.operationId} documents no ${status}`
  return { operationId: route.operationId, mediaTypes: mediaTypesOf(response, pointer) }
}

const validators = new Map<string, ValidateFunction>()

function mediaTypesOf(response: ResponseObject, pointer: readonly string[]): Expectation['mediaTypes'] {
  const name = response.$ref?.split('/').at(-1)
  const content = name === undefined ? response.content : document.components.responses[name]?.content
  const at = name === undefined ? pointer : ['components', 'responses', name]
  return new Map(
    Object.entries(content ?? {}).map(([type, { schema }]) => [
      type,
      schema && validatorAt([...at, 'content', type, 'schema']),
    ]),
  )
}

function validatorAt(pointer: readonly string[]): ValidateFunction {
  const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  const ref = `openapi#/${escaped.join('/')}`
  const known = validators.get(ref)
  if (known) return known
  const made = ajv.compile({ $ref: ref })
  validators.set(ref, made)
  return made
}

/** Validates a value against a schema of the document by name. */
export function validatorOf(schema: string): ValidateFunction {
  return validatorAt(['components', 'schemas', schema])
}

const errorExpectation: Expectation = {
  operationId: 'none',
  mediaTypes: new Map([['application/json', validatorAt(['components', 'schemas', 'Error'])]]),
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.replace(/(.)\/$/, '$1').split('/')]
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith('{') || part === given[i])
}
