import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../../services.ts'
import { listFiles } from './list-files.ts'
import { guideHeaders } from './web-policy.ts'

const config = { scope: 'public', anyAccept: true, isFree: true } as const
const yearS = 365 * 24 * 3600

/** The guide at /guide, if it has been built. */
export async function guideRoutes(app: FastifyInstance, { http, log }: Pick<Services, 'http' | 'log'>): Promise<void> {
  const files = listFiles(http.guideDir)
  if (!files.has('index.html')) return log.info('guide not built: run npm run docs:build')
  await app.register(fastifyStatic, { root: http.guideDir, serve: false, preCompressed: true, cacheControl: false })

  const send = (reply: FastifyReply, file: string) =>
    reply.headers(guideHeaders).header('cache-control', cachingOf(file)).sendFile(file)

  const answer = (url: string, path: string, reply: FastifyReply) => {
    const index = path === '' ? 'index.html' : `${path}/index.html`
    const { pathname } = new URL(url, http.publicUrl)
    if (pathname.endsWith('/') && files.has(index)) return send(reply, index)
    if (files.has(path)) return send(reply, path)
    // Links inside the guide end with a slash; links that users type may not.
    if (files.has(index)) return reply.redirect(`/guide/${path}${path === '' ? '' : '/'}`, 308)
    return send(reply.code(404), '404.html')
  }
  // The server treats paths with and without a trailing slash the same.
  app.get('/guide', { config }, ({ url }, reply) => answer(url, '', reply))
  app.get<{ Params: { '*': string } }>('/guide/*', { config }, ({ url, params }, reply) =>
    answer(url, params['*'].replace(/\/$/, ''), reply),
  )
}

/** Names under `_astro/` contain a hash of the content; all other files are revalidated by ETag. */
function cachingOf(file: string): string {
  return file.startsWith('_astro/') ? `public, max-age=${yearS}, immutable` : 'no-cache'
}
