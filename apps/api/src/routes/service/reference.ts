import { buildOpenApi } from '@lathe/contract'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { version } from '../../version.ts'

// The page and its script come from here and call nothing but this service.
const pagePolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ')

/** GET /openapi.json, and GET /docs: the reference as a page. */
export async function referenceRoutes(app: FastifyInstance, { http }: Pick<Services, 'http'>): Promise<void> {
  const document = buildOpenApi({ version, serverUrl: http.publicUrl })
  // A proxy may serve us under a path of its own.
  const base = new URL(http.publicUrl).pathname.replace(/\/$/, '')
  app.route({ ...endpoint('openapi'), handler: async () => document })
  await app.register(async (page) => {
    page.addHook('onRoute', (route) => {
      route.config = { ...route.config, scope: 'public', anyAccept: true }
    })
    page.addHook('onSend', async (_request, reply) => void reply.header('content-security-policy', pagePolicy))
    await page.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: `${base}/openapi.json`,
        cdn: `${base}/docs/js/scalar.js`,
        pageTitle: 'Lathe API',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        // Doors to services that are not ours: who hosts this hosts all of it.
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
}
