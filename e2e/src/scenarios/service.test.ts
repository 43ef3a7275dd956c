import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { document } from '../openapi.ts'
import { stack } from '../scenario.ts'

const anyone = createClient({ url: stack.url, recordFile: stack.recordFile })

describe('the service', () => {
  it('reports that it is alive', async () => {
    expect((await anyone.get('/healthz')).status).toBe(200)
  })

  it('reports that it is ready: PostgreSQL and the storage respond', async () => {
    const { status, body } = await anyone.get<{ status: string }>('/readyz')
    expect({ status, says: body.status }).toEqual({ status: 200, says: 'ready' })
  })

  it('S15: shows its metrics to operators, on a separate listener, and not to clients', async () => {
    expect((await fetch(`${stack.url}/metrics`)).status).toBe(404)
    expect(new URL(stack.metricsUrl).port).not.toBe(new URL(stack.url).port)
    expect(await (await fetch(stack.metricsUrl)).text()).toContain('lathe_http_request_seconds')
    expect((await fetch(new URL('/healthz', stack.metricsUrl))).status).toBe(404)
  })

  it('serves the OpenAPI document that all responses of these tests are checked against', async () => {
    const { body } = await anyone.get<object>('/openapi.json')
    expect(body).toEqual({ ...document, servers: [{ url: stack.url }] })
  })

  it('serves the document of the endpoints under /auth', async () => {
    const file = new URL('../../../docs/api/auth-openapi.json', import.meta.url)
    const { body } = await anyone.get<object>('/auth-openapi.json')
    expect(body).toEqual({ ...JSON.parse(readFileSync(file, 'utf8')), servers: [{ url: stack.url }] })
  })

  it.each(['/docs', '/docs/auth'])('shows a reference page to a browser: %s', async (path) => {
    const { status, bytes } = await anyone.get(path, { accept: 'text/html' })
    expect(status).toBe(200)
    expect(bytes.toString()).toContain('<html')
  })
})
