import { operations, processingOperations } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { unavailableOperations } from '../available-operations.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

const list = Object.values<Route>(routes)
// The tus protocol defines its own responses.
const ours = list.filter(({ tus }) => !tus)
const statusesOf = (route: Route) => Object.keys(route.responses).map(Number)
// The secret of `webhook_url` is a single resource: every caller has at most one.
const isSingle = ({ path, method }: Route) =>
  /\{(taskId|jobId|webhookId|keyId|tokenId|presetId)\}/.test(path) ||
  (method === 'GET' && path === '/v1/webhooks/secret')

const creations = [
  'createJob',
  'runJobAgain',
  'runTaskAgain',
  'createJobToken',
  'createPreset',
  'createKey',
  'createWebhook',
  'createJobsSecret',
  'pingWebhook',
  'replayDelivery',
]

describe('routes', () => {
  it('cover every endpoint of the API, and no other [S-gen-01, S-gen-02, S-gen-05, S-gen-16, S-http-09, D-op-54]', () => {
    const endpoints = list.map(({ method, path }) => `${method} ${path}`)
    expect(endpoints.toSorted()).toEqual(
      [
        'GET /v1/query/formats',
        ...processingOperations.map((name) => `GET /v1/query/formats/${name}`),
        ...processingOperations.map((name) => `GET /v1/query/options/${name}`),
        'GET /v1/query/routes',
        'GET /v1/process/tasks',
        'GET /v1/process/tasks/{taskId}',
        'GET /v1/process/tasks/{taskId}/files',
        'DELETE /v1/process/tasks/{taskId}',
        'POST /v1/process/tasks/{taskId}/cancel',
        'POST /v1/process/tasks/{taskId}/run-again',
        'GET /v1/process/jobs',
        'POST /v1/process/jobs',
        'GET /v1/process/jobs/{jobId}',
        'DELETE /v1/process/jobs/{jobId}',
        'POST /v1/process/jobs/{jobId}/run-again',
        'GET /v1/process/jobs/{jobId}/tokens',
        'POST /v1/process/jobs/{jobId}/tokens',
        'DELETE /v1/process/jobs/{jobId}/tokens/{tokenId}',
        'GET /v1/process/events',
        'GET /v1/process/jobs/{jobId}/events',
        'GET /v1/process/tasks/{taskId}/events',
        ...operations.map((operation) => `POST /v1/process/${operation}`),
        'GET /v1/presets',
        'POST /v1/presets',
        ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} /v1/presets/{presetId}`),
        'GET /v1/webhooks',
        'POST /v1/webhooks',
        'GET /v1/webhooks/secret',
        'POST /v1/webhooks/secret',
        ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} /v1/webhooks/{webhookId}`),
        'POST /v1/webhooks/{webhookId}/rotate-secret',
        'POST /v1/webhooks/{webhookId}/ping',
        'GET /v1/webhooks/{webhookId}/deliveries',
        'POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
        'GET /v1/account',
        'GET /v1/audit',
        'POST /v1/device/authorize',
        'POST /v1/device/token',
        'GET /v1/account/usage',
        'GET /v1/account/keys',
        'POST /v1/account/keys',
        ...['PATCH', 'DELETE'].map((method) => `${method} /v1/account/keys/{keyId}`),
        'POST /v1/uploads/{taskId}/{token}',
        'POST /v1/uploads/{taskId}/{token}/tus',
        ...['HEAD', 'PATCH', 'DELETE'].map((method) => `${method} /v1/uploads/{taskId}/{token}/tus/{uploadId}`),
        'GET /v1/files/{taskId}/{file}',
        'GET /v1/files/{taskId}/{file}/{filename}',
        'GET /v1/process/tasks/{taskId}/files/{file}/preview',
        ...['/healthz', '/readyz', '/docs', '/openapi.json', '/docs/auth', '/auth-openapi.json'].map(
          (path) => `GET ${path}`,
        ),
      ].toSorted(),
    )
  })

  it('are named by their operationId', () => {
    for (const [name, route] of Object.entries<Route>(routes)) expect(route.operationId).toBe(name)
  })

  it('may all answer 400, 403, 405, 429, 500 and 503 [S-http-04, S-http-05]', () => {
    for (const route of list) expect(statusesOf(route)).toEqual(expect.arrayContaining([400, 403, 405, 429, 500, 503]))
  })

  it('may answer 406 wherever they answer JSON [S-http-04, D-http-29, D-event-17]', () => {
    const without = ours.filter((route) => !(406 in route.responses)).map(({ operationId }) => operationId)
    const files = ['downloadFile', 'downloadNamedFile', 'showPreview']
    expect(without).toEqual(['accountEvents', 'jobEvents', 'taskEvents', ...files, 'docs', 'authDocs'])
  })

  it('may answer 401 exactly where a key is needed [S-http-05]', () => {
    for (const route of list) expect(401 in route.responses).toBe(route.scope !== 'public')
  })

  it('may answer 404 exactly where they address a single resource [S-http-06]', () => {
    for (const route of list) expect(404 in route.responses).toBe(isSingle(route))
  })

  it('may answer 409 exactly where they honour Idempotency-Key: every protected POST [D-http-54]', () => {
    for (const route of ours) {
      expect(409 in route.responses).toBe(route.method === 'POST' && route.scope !== 'public')
      expect(410 in route.responses).toBe(409 in route.responses)
    }
  })

  it('answer 201 for creations and 200 for reads, deletes and cancel [S-http-07, S-http-08, S-imp-02, S-exp-01, D-op-04]', () => {
    for (const route of ours) {
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

  it('need task.write for everything that changes something and task.read for reading [S-imp-01]', () => {
    for (const route of list.filter(({ path }) => /^\/v1\/(process|presets)(\/|$)/.test(path))) {
      expect(route.scope).toBe(route.method === 'GET' ? 'task.read' : 'task.write')
    }
  })

  it('need webhook.write for everything that changes a webhook or shows its secret, and webhook.read for reading', () => {
    for (const route of list.filter(({ path }) => path.startsWith('/v1/webhooks'))) {
      const writes = route.method !== 'GET' || route.path.endsWith('/secret')
      expect(route.scope).toBe(writes ? 'webhook.write' : 'webhook.read')
    }
  })

  it('need account.write for everything that changes a key, and account.read for reading', () => {
    for (const route of list.filter(({ path }) => path.startsWith('/v1/account'))) {
      expect(route.scope).toBe(route.method === 'GET' ? 'account.read' : 'account.write')
    }
  })

  it('take job tokens only to read one job, one of its tasks, or events, files or previews of them [D-http-74]', () => {
    const open = list.filter(({ takesJobTokens }) => takesJobTokens)
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /v1/process/jobs/{jobId}',
      'GET /v1/process/jobs/{jobId}/events',
      'GET /v1/process/tasks/{taskId}',
      'GET /v1/process/tasks/{taskId}/events',
      'GET /v1/process/tasks/{taskId}/files',
      'GET /v1/process/tasks/{taskId}/files/{file}/preview',
    ])
  })

  it('leave the queries, uploads and downloads open to everyone [S-query-01, D-op-54]', () => {
    const closed = ['/v1/audit', '/v1/process/', '/v1/presets', '/v1/webhooks', '/v1/account']
    const others = list.filter(({ path }) => !closed.some((start) => path.startsWith(start)))
    for (const route of others) expect(route.scope).toBe('public')
  })

  it('answer an empty body to a delete [S-tasks-14, S-jobs-20]', () => {
    for (const route of list.filter(({ method }) => method === 'DELETE'))
      expect(route.responses[200]?.schema).toBeUndefined()
  })
})
