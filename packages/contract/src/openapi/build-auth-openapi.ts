import { interfaceVersion } from '../interface-version.ts'
import { type AuthRoute, authError, authErrors, authTags } from '../routes/auth/auth-route.ts'
import { authRoutes } from '../routes/auth/auth-routes.ts'
import type { OpenApiFacts } from './build-openapi.ts'
import { sorted } from './build-openapi.ts'
import { buildOperation, toResponse } from './build-operation.ts'
import { type JsonObject, SchemaCollector } from './schema-collector.ts'
import { headersOf } from './shared-parts.ts'

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-lathe',
    description:
      'The session cookie, which signing in sets (HttpOnly, Secure, SameSite=Lax). It is accepted only under `/auth`. Over plain HTTP its name is `lathe`.',
  },
  ownPage: {
    type: 'apiKey',
    in: 'header',
    name: 'Origin',
    description:
      'Every request that changes something must come from a page of this service: `Origin` is exactly that of `LATHE_PUBLIC_URL`, `Sec-Fetch-Site` is `same-origin`, and the body is a JSON object, `{}` if it has no fields. Browsers send both headers themselves. Other requests get 403.',
  },
} as const satisfies JsonObject

/** The OpenAPI 3.1 document of every endpoint under /auth. It is deterministic, so it can be stored and compared. */
export function buildAuthOpenApi({ version, serverUrl = '/' }: OpenApiFacts): JsonObject {
  const schemas = new SchemaCollector()
  const paths = buildPaths(schemas)
  const responses = Object.fromEntries(
    Object.keys(authErrors).map((status) => {
      const headers = headersOf[Number(status)]
      return [`Error${status}`, { ...toResponse(authError(Number(status)), schemas), ...(headers && { headers }) }]
    }),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lathe accounts',
      version: interfaceVersion,
      'x-lathe-version': version,
      summary: 'Sign-in, sessions, teams and administration, for the web app of Lathe.',
      description: description(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(authTags).map(([name, text]) => ({ name, description: text })),
    paths,
    components: { schemas: sorted(schemas.components), responses, parameters: {}, securitySchemes },
  }
}

function buildPaths(schemas: SchemaCollector): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const { tag, access, ...route } of Object.values(authRoutes)) {
    const path = paths[route.path] ?? {}
    const described = { ...route, tags: [tag] }
    path[route.method.toLowerCase()] = buildOperation(described, securityOf({ access, ...route }), schemas)
    paths[route.path] = path
  }
  return paths
}

/** Changes need a page of the service; a session is required, optional or not read. */
function securityOf({ access, method }: Pick<AuthRoute, 'access' | 'method'>): readonly JsonObject[] {
  const page = method === 'GET' ? {} : { ownPage: [] }
  if (access === 'session') return [{ session: [], ...page }]
  if (access === 'optional') return [{ session: [], ...page }, page]
  return method === 'GET' ? [] : [page]
}

function description(): string {
  return [
    'The web app uses these endpoints with a cookie. They are not part of the versioned API under `/v1`, and may change with every release: programs use an API key, or sign in with `POST /v1/device/authorize`.',
    'They exist depending on the setting `ACCOUNTS_MODE`, as each group says; with `none` there is no `/auth`.',
    'In a request, `null` and `""` in an optional field mean that it is not set, unless the field itself allows null.',
    'Every refused request returns an `Error` with an `errorCode`.',
  ].join('\n\n')
}
