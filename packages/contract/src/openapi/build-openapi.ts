import { interfaceVersion } from '../interface-version.ts'
import type { Route, Scope } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'
import { buildOperation } from './build-operation.ts'
import { type JsonObject, SchemaCollector } from './schema-collector.ts'
import { errorCodeList, securitySchemes, sharedParameters, sharedResponses } from './shared-parts.ts'

/** Facts about the server that the document describes. */
export interface OpenApiFacts {
  /** The release of Lathe. The document itself has the version of the API. */
  readonly version: string
  readonly serverUrl?: string
}

const tags = {
  queries: 'What the service can do. Open to everyone.',
  jobs: 'Sets of tasks that form a workflow.',
  tasks: 'Single activities.',
  events: 'Events in real time.',
  imports: 'Bring files in.',
  processing: 'Turn files into others.',
  exports: 'Hand files out.',
  presets: 'Named settings of operations, for tasks to take.',
  webhooks: 'Webhooks and their deliveries.',
  account: 'The account of the API key, its usage and its keys.',
  files: 'The bytes themselves: forms and signed links, without an API key.',
  service: 'Health and this reference.',
} as const

/** The OpenAPI 3.1 document of every endpoint. It is deterministic, so it can be stored and compared. */
export function buildOpenApi({ version, serverUrl = '/' }: OpenApiFacts): JsonObject {
  const schemas = new SchemaCollector()
  const paths = buildPaths(schemas)
  const responses = sharedResponses(schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lathe',
      version: interfaceVersion,
      'x-lathe-version': version,
      summary: 'An open, self-hosted file conversion service.',
      description: description(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths,
    components: { schemas: sorted(schemas.components), responses, parameters: sharedParameters, securitySchemes },
  }
}

function buildPaths(schemas: SchemaCollector): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const route of Object.values<Route>(routes)) {
    const path = paths[route.path] ?? {}
    path[route.method.toLowerCase()] = buildOperation(route, securityOf(route.scope), schemas)
    paths[route.path] = path
  }
  return paths
}

// The array lists the required scopes, which OpenAPI 3.1 allows for schemes other than OAuth.
const securityOf = (scope: Scope): readonly JsonObject[] => (scope === 'public' ? [] : [{ apiKey: [scope] }])

/** Components in the order of their names. */
export function sorted(components: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function description(): string {
  return [
    'Work consists of tasks: imports fetch files, processing tasks convert them, exports deliver them. A job is a set of tasks that use each other as input. Files are kept for 4 hours, records for 24 hours.',
    'In a request, `null` and `""` in an optional field mean that it is not set.',
    '## Errors',
    'Every refused request returns an `Error`. Its `errorCode` is one of a closed list:',
    errorCodeList(),
    'A failed task has its cause in `result.errorCode`, more specifically in `result.reason`, and as text in `result.msg`.',
  ].join('\n\n')
}
