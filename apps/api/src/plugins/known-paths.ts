import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { createPathTable } from '../http/paths.ts'
import { pathOf } from '../route-config.ts'

/** Refuses paths that do not exist (404) and unsupported methods (405). */
export function refuseUnknownPaths(app: FastifyInstance): void {
  const paths = createPathTable()

  app.addHook('onRoute', ({ method, url }) => {
    if (url === '*') return
    for (const name of [method].flat()) paths.add(name, url)
  })

  app.addHook('onRequest', async (request, reply) => {
    const isOptions = request.method === 'OPTIONS'
    if (!request.is404 && !isOptions) return
    const methods = paths.methodsOf(decodePath(pathOf(request)))
    if (methods.length === 0)
      throw new Problem('not_found', { msg: 'There is no such path. See /docs for those there are.' })
    reply.header('allow', [...methods, 'OPTIONS'].join(', '))
    if (!isOptions) throw new Problem('method_not_allowed')
  })
}

function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
