import { type RouteName, routes, type Scope } from '@lathe/contract'
import type { Span } from '@lathe/runtime'
import type { FastifyRequest, HTTPMethods } from 'fastify'
import type { Caller } from './job-tokens/caller.ts'

/** What the hooks need to know of a route. A route that states no scope is answered to nobody. */
export interface RouteConfig {
  readonly scope?: Scope
  /** Answers something else than JSON, so `Accept` does not matter. */
  readonly anyAccept?: boolean
  /** For probes and scrapers: neither limited nor bound to HTTPS, as they come from inside. */
  readonly isProbe?: boolean
  /** Costs nothing worth counting: a file of the web app. */
  readonly isFree?: boolean
  /** Answers a sender that is too slow by itself, instead of having it cut off. */
  readonly answersSlow?: boolean
  /** Counts against the limit of whoever owns the form or link, and not of who uses it. */
  readonly countsOwner?: boolean
  /** Whether a token of the job it is about is enough. */
  readonly takesJobTokens?: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyRequest {
    caller: Caller | undefined
    /** The key has the form of one, but the record does not know it. */
    isKeyInvented: boolean
    /** Its part of a trace, where one is recorded. */
    span: Span | undefined
  }
}

/** The options of a route as the contract describes it. */
export function endpoint(name: RouteName, more: RouteConfig = {}) {
  const { method, path, scope, responses, takesJobTokens = false } = routes[name]
  return {
    method: method as HTTPMethods,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: { scope, anyAccept: !(406 in responses), takesJobTokens, ...more } satisfies RouteConfig,
  }
}

/** Who is calling, on a route that is not public. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('a public route has no caller')
  return caller
}

/** A parameter of the path. */
export function pathParam({ params }: FastifyRequest, name: string): string {
  return (params as Record<string, string | undefined>)[name] ?? ''
}

/** The path that was asked for, without its query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}
