import { limits, type RouteName, routes, type Scope } from '@lathe/contract'
import type { Span } from '@lathe/runtime'
import type { FastifyRequest, HTTPMethods } from 'fastify'
import type { Caller } from './job-tokens/caller.ts'

/** What the hooks need to know about a route. A route without a scope refuses all requests. */
export interface RouteConfig {
  readonly scope?: Scope
  /** Answers with something other than JSON, so `Accept` does not matter. */
  readonly anyAccept?: boolean
  /** For probes and scrapers: neither rate limited nor bound to HTTPS, because they come from inside. */
  readonly isProbe?: boolean
  /** Not rate limited, because it is cheap: a file of the web app. */
  readonly isFree?: boolean
  /** Answers slow senders itself, instead of having them cut off. */
  readonly answersSlow?: boolean
  /** Counts against the limit of the owner of the form or link, not of its user. */
  readonly countsOwner?: boolean
  /** Whether a token of the job in the path is enough. */
  readonly takesJobTokens?: boolean
  /** What `WWW-Authenticate` says to a caller without a valid key; `Bearer` by default. */
  readonly challenge?: string
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyRequest {
    caller: Caller | undefined
    /** The key has the right format but is not in the database. */
    isKeyInvented: boolean
    /** The span of the request, if it is traced. */
    span: Span | undefined
  }
}

/** The options of a route as the contract describes it. */
export function endpoint(name: RouteName, more: RouteConfig = {}) {
  const { method, path, scope, responses, takesJobTokens = false, bodyBytes = limits.bodyBytes } = routes[name]
  return {
    method: method as HTTPMethods,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyBytes,
    config: { scope, anyAccept: !(406 in responses), takesJobTokens, ...more } satisfies RouteConfig,
  }
}

/** The caller of a route that is not public. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('a public route has no caller')
  return caller
}

/** A parameter of the path. */
export function pathParam({ params }: FastifyRequest, name: string): string {
  return (params as Record<string, string | undefined>)[name] ?? ''
}

/** The path of the request, without its query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}
