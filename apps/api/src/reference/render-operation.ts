import { type Html, html } from './html.ts'
import {
  type Content,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Ref,
  type Response,
  refName,
  type Schema,
} from './openapi-document.ts'
import { renderField, renderFields, renderSchema, renderType } from './render-schema.ts'
import { renderLine, renderText } from './render-text.ts'

/** An operation with its method and path. */
export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The section of one endpoint: its purpose, parameters, an example, and its responses. */
export function renderOperation(endpoint: Endpoint, document: OpenApiDocument): Html {
  const { method, path, operation } = endpoint
  return html`<article id="${operation.operationId}">
<h3>${operation.summary}</h3>
<p class="path"><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code></p>
${operation.description !== undefined && renderText(operation.description)}
<p><small>${accessTo(operation)}</small></p>
${renderParameters(operation, document)}
${renderBody(operation.requestBody?.content, document)}
<h4>Example</h4>
<pre tabindex="0"><code>${toCommand(endpoint, document)}</code></pre>
<h4>Answers</h4>
${renderFields(Object.entries(operation.responses).map(([status, answer]) => renderAnswer(status, answer, document)))}
</article>`
}

/** How callers authenticate. */
function accessTo({ security = [] }: Operation): string {
  const { apiKey, session, ownPage } = security[0] ?? {}
  if (apiKey) return `API key with the scope ${apiKey.join(', ')}`
  const from = ownPage ? ', only from pages of the service' : ''
  if (session) return `${security.length > 1 ? 'With or without a session cookie' : 'Session cookie needed'}${from}`
  return ownPage ? 'No session needed, only from pages of the service' : 'No API key needed'
}

function renderParameters({ parameters = [] }: Operation, document: OpenApiDocument): Html | undefined {
  const rows = parameters
    .map((given) => ('$ref' in given ? parameterOf(given, document) : given))
    .map(({ name, in: place, required = false, schema, description }) =>
      renderField({ name, schema, place, isRequired: required, description }),
    )
  return rows.length === 0 ? undefined : html`<h4>Parameters</h4>${renderFields(rows)}`
}

function renderBody(content: Content | undefined, document: OpenApiDocument): Html | undefined {
  const [type, body] = Object.entries(content ?? {})[0] ?? []
  if (!body?.schema) return undefined
  return html`<h4>Body <small>${type}</small></h4>${renderSchema(resolved(body.schema, document))}`
}

function renderAnswer(status: string, given: Response | Ref, document: OpenApiDocument): Html {
  const { description, content } = '$ref' in given ? responseOf(given, document) : given
  const [type, body] = Object.entries(content ?? {})[0] ?? []
  const shape = body?.schema ? renderType(body.schema) : type
  return html`<tr><th scope="row"><code>${status}</code></th><td>${renderLine(description)} ${shape}</td></tr>`
}

/** A curl command that calls the endpoint. */
function toCommand({ method, path, operation }: Endpoint, document: OpenApiDocument): string {
  const base = (document.servers[0]?.url ?? '').replace(/\/$/, '')
  const url = `${base}${path.replace(/\{(\w+)\}/g, '$$$1')}`
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const example = body?.schema && resolved(body.schema, document).examples?.[0]
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${url}"`,
    ...toCredentials(operation, base),
    type === 'multipart/form-data' && '-F file=@photo.jpg',
    type === 'application/json' && '-H "Content-Type: application/json"',
    type === 'application/json' && `-d '${JSON.stringify(example ?? {}, undefined, 2)}'`,
  ]
    .filter((line) => line !== false)
    .join(' \\\n  ')
}

/** The headers with which a caller authenticates. */
function toCredentials({ security = [] }: Operation, base: string): readonly (string | false)[] {
  const { apiKey, session, ownPage } = security[0] ?? {}
  return [
    apiKey !== undefined && '-H "Authorization: Bearer $API_KEY"',
    session !== undefined && '-b "__Host-lathe=$SESSION"',
    ownPage !== undefined && `-H "Origin: ${URL.parse(base)?.origin ?? base}" -H "Sec-Fetch-Site: same-origin"`,
  ]
}

function resolved(schema: Schema, { components }: OpenApiDocument): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[refName(schema.$ref)] ?? {})
}

function parameterOf({ $ref }: Ref, { components }: OpenApiDocument): Parameter {
  return components.parameters[refName($ref)] ?? { name: refName($ref), in: '', schema: {} }
}

function responseOf({ $ref }: Ref, { components }: OpenApiDocument): Response {
  return components.responses[refName($ref)] ?? { description: '' }
}
