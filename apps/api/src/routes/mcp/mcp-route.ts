import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { limits, usualScopes } from '@lathe/contract'
import { createMcpServer } from '@lathe/mcp'
import { Lathe } from '@lathe/sdk'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { idleReaderMs, setIdleLimit } from '../../plugins/idle-guard.ts'
import type { Services } from '../../services.ts'
import { version } from '../../version.ts'
import { fetchInside } from './fetch-inside.ts'

const metadataPath = '/.well-known/oauth-protected-resource/mcp'
// What the tools need; the others are for webhooks and accounts.
const toolScopes = usualScopes.filter((scope) => scope.startsWith('task.'))

/**
 * POST /mcp: Lathe as tools for language models, for clients with an API key. Tools call the API as this caller, so
 * they may do what its key may do. Requests are stateless: any api process can answer any of them.
 */
export function mcpRoutes(app: FastifyInstance, { http, log }: Pick<Services, 'http' | 'log'>): void {
  const challenge = `Bearer resource_metadata="${http.publicUrl}${metadataPath}"`
  const config = { scope: 'task.read', anyAccept: true, challenge } as const
  app.post('/mcp', { config, bodyLimit: limits.mcpBodyBytes }, async (request, reply) => {
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
  app.get(metadataPath, { config: { scope: 'public' } }, async () => describeResource(http.publicUrl))
}

/**
 * How programs get access to /mcp (RFC 9728). It names no authorization server: users create an API key and give it to
 * the program.
 */
function describeResource(publicUrl: string) {
  return {
    resource: `${publicUrl}/mcp`,
    resource_name: 'Lathe',
    resource_documentation: `${publicUrl}/guide/mcp`,
    scopes_supported: toolScopes,
    bearer_methods_supported: ['header'],
  }
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
