import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createMcpServer } from '@lathe/mcp'
import { Lathe } from '@lathe/sdk'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { idleReaderMs, setIdleLimit } from '../../plugins/idle-guard.ts'
import type { Services } from '../../services.ts'
import { version } from '../../version.ts'
import { fetchInside } from './fetch-inside.ts'

/**
 * POST /mcp: Lathe as tools for language models, for clients with an API key. Tools call the API as this caller, so
 * they may do what its key may do. Requests are stateless: any api process can answer any of them.
 */
export function mcpRoute(app: FastifyInstance, { http, log }: Pick<Services, 'http' | 'log'>): void {
  app.post('/mcp', { config: { scope: 'task.read', anyAccept: true } }, async (request, reply) => {
    const { authorization = '' } = request.headers
    const key = authorization.slice('Bearer '.length)
    const lathe = new Lathe({ baseUrl: http.publicUrl, key, retries: 0, fetch: fetchInside(app, request) })
    const handler = createMcpHandler(() => createMcpServer({ lathe, version }), {
      onerror: (err) => log.debug({ err }, 'MCP request refused'),
    })
    const response = await handler.fetch(toWebRequest(request, reply, http.publicUrl))
    setIdleLimit(request, idleReaderMs)
    reply.code(response.status)
    for (const [name, value] of response.headers) reply.header(name, value)
    return reply.send(response.body ? Readable.fromWeb(response.body as ReadableStream) : '')
  })
}

function toWebRequest({ headers, body }: FastifyRequest, { raw }: FastifyReply, publicUrl: string): Request {
  // Aborts when the answer was sent or the client has disconnected.
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'content-length' ? [[name, value] as [string, string]] : [],
  )
  return new Request(`${publicUrl}/mcp`, {
    method: 'POST',
    headers: given,
    body: JSON.stringify(body),
    signal: gone.signal,
  })
}
