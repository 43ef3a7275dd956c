import { isKey } from '@lathe/accounts'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { bearerOf } from '../http/bearer.ts'
import type { Services } from '../services.ts'
import { refuse } from './rate-limit.ts'

type Parts = Pick<Services, 'accounts' | 'limiter'>

/** Lets a request pass if its key is valid (401) and has the route's scope (403). A route without a scope lets nobody pass. */
export function authenticate(app: FastifyInstance, parts: Parts): void {
  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request.routeOptions.config
    if (scope === 'public') return
    if (!scope) throw new Problem('forbidden')
    request.caller = await findCaller(parts, request, reply)
    if (!request.caller.scopes.has(scope)) {
      throw new Problem('forbidden', {
        msg: `The API key does not have the scope ${scope}, which this endpoint needs.`,
      })
    }
  })

  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const open = routes.filter(({ config }) => !config?.scope).map(({ method, url }) => `${method} ${url}`)
    if (open.length > 0) throw new Error(`routes without a scope: ${open.join(', ')}`)
  })
}

async function findCaller({ accounts, limiter }: Parts, request: FastifyRequest, reply: FastifyReply) {
  const key = bearerOf(request.headers.authorization)
  const caller = key === undefined ? undefined : await accounts.findCaller(key)
  if (caller) return caller
  // A well-formed key was counted by itself; a wrong one also counts against the address it came from.
  if (key !== undefined && isKey(key)) {
    const verdict = await limiter.take('address', request.ip)
    if (!verdict.allowed) refuse(reply, verdict)
  }
  throw new Problem('unauthorized')
}
