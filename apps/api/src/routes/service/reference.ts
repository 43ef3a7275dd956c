import { readFileSync } from 'node:fs'
import { buildAuthOpenApi, buildOpenApi } from '@lathe/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OpenApiDocument } from '../../reference/openapi-document.ts'
import { renderPage } from '../../reference/render-page.ts'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { version } from '../../version.ts'

// The page is text and a style sheet from this service: it cannot run scripts, send data or load anything else.
const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const style = readFileSync(new URL('../../reference/style.css', import.meta.url), 'utf8')

/** The reference as documents and pages: of the API, and of the endpoints under /auth. */
export function referenceRoutes(app: FastifyInstance, { http }: Pick<Services, 'http'>): void {
  const facts = { version, serverUrl: http.publicUrl }
  const [document, authDocument] = [buildOpenApi(facts), buildAuthOpenApi(facts)]
  // A proxy may serve the api under a path prefix.
  const base = new URL(http.publicUrl).pathname.replace(/\/$/, '')
  const page = renderPage(document as unknown as OpenApiDocument, {
    ...{ base, file: '/openapi.json' },
    other: { path: '/docs/auth', title: 'Sign-in, teams and administration' },
  })
  const authPage = renderPage(authDocument as unknown as OpenApiDocument, {
    ...{ base, file: '/auth-openapi.json' },
    other: { path: '/docs', title: 'The versioned API' },
  })
  app.route({ ...endpoint('openapi'), handler: async () => document })
  app.route({ ...endpoint('docs'), handler: async (_request, reply) => send(reply, 'text/html', page) })
  app.route({ ...endpoint('authOpenapi'), handler: async () => authDocument })
  app.route({ ...endpoint('authDocs'), handler: async (_request, reply) => send(reply, 'text/html', authPage) })
  app.route({
    method: 'GET',
    url: '/docs/style.css',
    config: { scope: 'public', anyAccept: true },
    handler: async (_request, reply) => send(reply, 'text/css', style),
  })
}

function send(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply
    .type(`${type}; charset=utf-8`)
    .header('content-security-policy', pagePolicy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .send(text)
}
