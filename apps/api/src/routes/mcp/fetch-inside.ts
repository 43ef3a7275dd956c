import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'

// Headers that tell where a request came from, and how.
const passedOn = ['host', 'forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'user-agent']

/** A `fetch` that injects requests into this process: they pass all checks, on behalf of the outer request's client. */
export function fetchInside(app: FastifyInstance, { headers: outer, socket }: FastifyRequest): typeof globalThis.fetch {
  const inherited = Object.fromEntries(passedOn.flatMap((name) => (name in outer ? [[name, outer[name]]] : [])))
  return async (target, init = {}) => {
    const { pathname, search } = new URL(String(target))
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: `${pathname}${search}`,
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...inherited },
      remoteAddress: socket.remoteAddress ?? '127.0.0.1',
      payloadAsStream: true,
      ...(typeof init.body === 'string' && { payload: init.body }),
      ...(init.signal && { signal: init.signal }),
    })
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304
    const body = hasBody ? (Readable.toWeb(answer.stream()) as ReadableStream<Uint8Array>) : null
    return new Response(body, { status: answer.statusCode, headers })
  }
}
