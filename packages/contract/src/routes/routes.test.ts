import { operations } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { unavailableOperations } from '../available-operations.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

const list = Object.values<Route>(routes)
const statusesOf = (route: Route) => Object.keys(route.responses).map(Number)
// The secret of `webhook_url` is a resource of its own, of which every caller has at most one.
const isSingle = ({ path, method }: Route) =>
  /\{(taskId|jobId|webhookId)\}/.test(path) || (method === 'GET' && path === '/v1/webhooks/secret')

const creations = ['createJob', 'createWebhook', 'createJobsSecret', 'pingWebhook', 'replayDelivery']

describe('routes', () => {
  it('cover every endpoint of the API, and no other', () => {
    const endpoints = list.map(({ method, path }) => `${method} ${path}`)
    expect(endpoints.toSorted()).toEqual(
      [
        'GET /v1/query/formats',
        ...['convert', 'compress', 'merge', 'crop', 'trim'].map((name) => `GET /v1/query/formats/${name}`),
        ...['convert', 'compress', 'merge', 'crop', 'trim'].map((name) => `GET /v1/query/options/${name}`),
        'GET /v1/process/tasks',
        'GET /v1/process/tasks/{taskId}',
        'DELETE /v1/process/tasks/{taskId}',
        'POST /v1/process/tasks/{taskId}/cancel',
        'GET /v1/process/jobs',
        'POST /v1/process/jobs',
        'GET /v1/process/jobs/{jobId}',
        'DELETE /v1/process/jobs/{jobId}',
        'GET /v1/process/jobs/{jobId}/events',
        'GET /v1/process/tasks/{taskId}/events',
        ...operations.map((operation) => `POST /v1/process/${operation}`),
        'GET /v1/webhooks',
        'POST /v1/webhooks',
        'GET /v1/webhooks/secret',
        'POST /v1/webhooks/secret',
        ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} /v1/webhooks/{webhookId}`),
        'POST /v1/webhooks/{webhookId}/rotate-secret',
        'POST /v1/webhooks/{webhookId}/ping',
        'GET /v1/webhooks/{webhookId}/deliveries',
        'POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
        'POST /v1/uploads/{taskId}/{token}',
        'GET /v1/files/{taskId}/{file}',
        'GET /v1/files/{taskId}/{file}/{filename}',
        ...['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json'].map((path) => `GET ${path}`),
      ].toSorted(),
    )
  })

  it('are named by their operationId', () => {
    for (const [name, route] of Object.entries<Route>(routes)) expect(route.operationId).toBe(name)
  })

  it('may all answer 400, 403, 405, 429, 500 and 503', () => {
    for (const route of list) expect(statusesOf(route)).toEqual(expect.arrayContaining([400, 403, 405, 429, 500, 503]))
  })

  it('may answer 406 wherever they answer JSON', () => {
    const without = list.filter((route) => !(406 in route.responses)).map(({ operationId }) => operationId)
    expect(without).toEqual(['jobEvents', 'taskEvents', 'downloadFile', 'downloadNamedFile', 'metrics', 'docs'])
  })

  it('may answer 401 exactly where a key is needed', () => {
    for (const route of list) expect(401 in route.responses).toBe(route.scope !== 'public')
  })

  it('may answer 404 exactly where they address a single resource', () => {
    for (const route of list) expect(404 in route.responses).toBe(isSingle(route))
  })

  it('may answer 409 exactly where they honour Idempotency-Key: every protected POST', () => {
    for (const route of list) {
      expect(409 in route.responses).toBe(route.method === 'POST' && route.scope !== 'public')
      expect(410 in route.responses).toBe(409 in route.responses)
    }
  })

  it('answer 201 for creations and 200 for reads, deletes and cancel', () => {
    for (const route of list) {
      if (route.operation !== undefined && unavailableOperations.has(route.operation)) continue
      const creates = route.operation !== undefined || creations.includes(route.operationId)
      expect(201 in route.responses).toBe(creates)
      expect(200 in route.responses).toBe(!creates)
    }
  })

  it('do not promise 201 for an operation that is not available, and say so', () => {
    for (const route of list) {
      if (route.operation === undefined || !unavailableOperations.has(route.operation)) continue
      expect(201 in route.responses).toBe(false)
      expect(route.description).toContain('Not available on this server')
    }
  })

  it('need task.write for everything that changes something and task.read for reading', () => {
    for (const route of list.filter(({ path }) => path.startsWith('/v1/process/'))) {
      expect(route.scope).toBe(route.method === 'GET' ? 'task.read' : 'task.write')
    }
  })

  it('need webhook.write for everything that changes a webhook or shows its secret, and webhook.read for reading', () => {
    for (const route of list.filter(({ path }) => path.startsWith('/v1/webhooks'))) {
      const writes = route.method !== 'GET' || route.path.endsWith('/secret')
      expect(route.scope).toBe(writes ? 'webhook.write' : 'webhook.read')
    }
  })

  it('leave the queries, uploads and downloads open to everyone', () => {
    const others = list.filter(({ path }) => !path.startsWith('/v1/process/') && !path.startsWith('/v1/webhooks'))
    for (const route of others) expect(route.scope).toBe('public')
  })

  it('answer an empty body to a delete', () => {
    for (const route of list.filter(({ method }) => method === 'DELETE'))
      expect(route.responses[200]?.schema).toBeUndefined()
  })
})
