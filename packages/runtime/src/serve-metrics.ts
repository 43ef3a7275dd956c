import { once } from 'node:events'
// biome-ignore lint/style/noRestrictedImports: this answers the operator's scraper; it calls nobody.
import { createServer } from 'node:http'
import type { Metrics } from './metrics.ts'

export interface MetricsServer extends AsyncDisposable {
  readonly port: number
}

export interface MetricsServerOptions {
  readonly host: string
  readonly port: number
  /** Why the process is paused; undefined if it is not. */
  pausedBy?(): string | undefined
  /** Whether `/healthz` and `/readyz` are served elsewhere. */
  readonly isMetricsOnly?: boolean
  /** Engines that cannot run here. */
  readonly lacking?: readonly string[]
}

/** Serves `/metrics` apart from clients, and `/healthz` and `/readyz` for a process without other HTTP. */
export async function serveMetrics(metrics: Metrics, at: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' && at.isMetricsOnly) return response.writeHead(404).end()
    if (request.url === '/healthz') return response.end('{"status":"ok"}')
    if (request.url === '/readyz') {
      const reason = at.pausedBy?.()
      response.writeHead(reason ? 503 : 200, { 'content-type': 'application/json' })
      const lacking = at.lacking?.length ? { lacking: at.lacking } : {}
      return response.end(
        JSON.stringify({ ...(reason ? { status: 'paused', reason } : { status: 'ready' }), ...lacking }),
      )
    }
    if (request.url !== '/metrics') return response.writeHead(404).end()
    response.setHeader('content-type', metrics.registry.contentType)
    return response.end(await metrics.registry.metrics())
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : at.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
