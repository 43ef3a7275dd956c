import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { CallerCounter } from '../caller-counter.ts'
import { requireAddress } from '../http/client-address.ts'
import { bearerOf } from '../http/headers.ts'
import type { Services } from '../services.ts'

type Parts = Pick<Services, 'accounts'> & { readonly callers: CallerCounter }

/** Requires a valid key (401) with the scope of the route (403). A route without a scope refuses all requests. */
export function authenticate(app: FastifyInstance, parts: Parts): void {
  app.addHook('onRequest', async (request) => {
    const { scope } = request.routeOptions.config
    if (scope === 'public') return
    if (!scope) throw new Problem('forbidden')
    request.caller = await findCaller(parts, request)
    requireAddress(request.caller, request.ip)
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

async function findCaller({ accounts, callers }: Parts, request: FastifyRequest) {
  const key = bearerOf(request.headers.authorization)
  const caller = key === undefined || request.isKeyInvented ? undefined : await accounts.findCaller(key)
  if (caller) return caller
  // It may have been revoked: from now on its requests count for their IP address.
  if (key !== undefined) callers.forget(key)
  throw new Problem('unauthorized')
}
