import fastifyStatic from '@fastify/static'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../../services.ts'
import { listFiles } from './list-files.ts'
import { webHeaders } from './web-policy.ts'

/** The paths that the web app routes itself: each gets the same page. */
const pages = [
  '/',
  '/sign-in',
  '/setup',
  '/join',
  '/device',
  '/share',
  '/tools',
  '/tools/:operation',
  '/jobs',
  '/jobs/:jobId',
  '/keys',
  '/presets',
  '/webhooks',
  '/webhooks/:webhookId',
  '/security',
  '/audit',
  '/settings',
  '/usage',
  '/members',
  '/instance',
]

const config = { scope: 'public', anyAccept: true, isFree: true } as const
const yearS = 365 * 24 * 3600

/** The web app, if it has been built: its pages and their files. */
export async function webRoutes(
  app: FastifyInstance,
  { http, auth, log }: Pick<Services, 'http' | 'auth' | 'log'>,
): Promise<void> {
  const files = listFiles(http.webDir)
  if (!files.has('index.html')) return log.info('web app not built: run npm run web:build')
  await app.register(fastifyStatic, { root: http.webDir, serve: false, preCompressed: true, cacheControl: false })

  const send = (reply: FastifyReply, file: string) => {
    if (!files.has(file)) throw new Problem('not_found')
    return reply.headers(webHeaders).header('cache-control', cachingOf(file)).sendFile(file)
  }
  for (const url of pages) app.get(url, { config }, (_request, reply) => send(reply, 'index.html'))
  app.get<{ Params: { file: string } }>('/assets/:file', { config }, ({ params }, reply) =>
    send(reply, `assets/${params.file}`),
  )
  const settings = { hasAccounts: auth !== undefined, maxFileBytes: http.maxFileBytes, publicUrl: http.publicUrl }
  app.get('/settings.json', { config }, async (_request, reply) => reply.headers(webHeaders).send(settings))
  for (const file of files) {
    if (!file.includes('/') && file !== 'index.html')
      app.get(`/${file}`, { config }, (_request, reply) => send(reply, file))
  }
}

/** Names under `assets/` contain a hash of the content; all other files are revalidated by ETag. */
function cachingOf(file: string): string {
  return file.startsWith('assets/') ? `public, max-age=${yearS}, immutable` : 'no-cache'
}
