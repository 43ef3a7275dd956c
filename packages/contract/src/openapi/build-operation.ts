import type { TObject } from 'typebox'
import type { Route, RouteResponse } from '../routes/route.ts'
import { ErrorView } from '../schemas/error-view.ts'
import type { JsonObject, SchemaCollector } from './schema-collector.ts'

const json = 'application/json'

/** What the document needs to know of an endpoint. */
export type DescribedRoute = Omit<Route, 'scope'>

/** One endpoint of the document, and how its callers authenticate. */
export function buildOperation(
  route: DescribedRoute,
  security: readonly JsonObject[],
  schemas: SchemaCollector,
): JsonObject {
  const { operationId, summary, description, tags } = route
  const parameters = [
    ...toParameters(route.params, 'path', schemas),
    ...toParameters(route.query, 'query', schemas),
    ...toHeaders(route),
  ]
  return {
    operationId,
    summary,
    description: route.takesJobTokens ? `${description} A token of the job is sufficient.` : description,
    tags,
    security,
    ...(parameters.length > 0 && { parameters }),
    ...toRequestBody(route, schemas),
    responses: toResponses(route, schemas),
  }
}

function toParameters(schema: TObject | undefined, place: 'path' | 'query', schemas: SchemaCollector): JsonObject[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = schemas.refer(field)
    const required = schema?.required?.includes(name) ?? false
    return { name, in: place, required, ...(description !== undefined && { description }), schema: rest }
  })
}

function toHeaders(route: DescribedRoute): JsonObject[] {
  const headers: JsonObject[] = []
  if (409 in route.responses && !route.tus) headers.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (route.waits) headers.push({ $ref: '#/components/parameters/PreferWait' })
  if (route.resumes) headers.push({ $ref: '#/components/parameters/LastEventId' })
  if (route.tus) headers.push({ $ref: '#/components/parameters/TusResumable' })
  return headers
}

function toRequestBody(route: DescribedRoute, schemas: SchemaCollector): JsonObject {
  if (route.body === undefined) return {}
  const content = { [route.bodyMediaType ?? json]: { schema: schemas.refer(route.body) } }
  return { requestBody: { required: !route.bodyOptional, content } }
}

function toResponses(route: DescribedRoute, schemas: SchemaCollector): JsonObject {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, response]) => {
      const isShared = Number(status) >= 400 && response.schema === ErrorView
      return [status, isShared ? { $ref: `#/components/responses/Error${status}` } : toResponse(response, schemas)]
    }),
  )
}

/** One response of the document. */
export function toResponse(
  { description, schema, mediaType = json }: RouteResponse,
  schemas: SchemaCollector,
): JsonObject {
  if (mediaType === json && schema === undefined) return { description }
  // Binary and HTML responses have no schema in OpenAPI 3.1: the media type is enough.
  const content = schema === undefined ? {} : { schema: schemas.refer(schema) }
  return { description, content: Object.fromEntries([mediaType].flat().map((type) => [type, content])) }
}
