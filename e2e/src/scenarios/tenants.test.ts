import type { Delivery, Job, Task, Webhook } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { apiRoutes } from '../openapi.ts'
import { importFixture, newClient, newKey, revokeKey, stack } from '../scenario.ts'

/** Endpoints whose path holds a secret of its own instead of a key. */
const signedPaths = [
  '/v1/uploads/{taskId}/{token}',
  '/v1/files/{taskId}/{file}',
  '/v1/files/{taskId}/{file}/{filename}',
]

const idRoutes = apiRoutes.filter(
  ({ path }) => /\{(taskId|jobId|webhookId)\}/.test(path) && !signedPaths.includes(path),
)
const signedRoutes = apiRoutes.filter(({ path }) => signedPaths.includes(path))
const protectedRoutes = apiRoutes.filter(({ scopes }) => scopes !== undefined)

let owner: Client
let other: Client
let revoked: Client
let task: Task
let job: Job
let webhook: Webhook
let delivery: Delivery

beforeAll(async () => {
  owner = await newClient()
  other = await newClient()
  task = await owner.create('import/upload')
  job = await owner.createJob({ form: { operation: 'import/upload' } })
  const address = { url: 'https://hooks.example.com/', enabled: false }
  webhook = (await owner.post<Webhook>('/v1/webhooks', address)).body
  delivery = (await owner.post<Delivery>(`/v1/webhooks/${webhook.id}/ping`)).body
  const key = await newKey()
  revoked = owner.withKey(key.key)
  await revokeKey(key.keyId)
  const isDead = async () => (await revoked.get('/v1/process/tasks')).status === 401
  await waitFor(isDead, { withinMs: 10_000, everyMs: 200, what: 'the end of the revoked key' })
})

/** The path with the owner's ids in it; a parameter nobody thought of fails the test. */
function concrete(path: string): string {
  const ids = { taskId: task.id, jobId: job.id, webhookId: webhook.id, deliveryId: delivery.id }
  const filled = Object.entries(ids).reduce((text, [name, id]) => text.replace(`{${name}}`, id), path)
  if (filled.includes('{')) throw new Error(`no value for a parameter of ${path}`)
  return filled
}

it('every route with an id has its rows here', () => {
  const withId = apiRoutes.filter(({ path }) => path.includes('{'))
  expect([...idRoutes, ...signedRoutes].map(({ operationId }) => operationId).sort()).toEqual(
    withId.map(({ operationId }) => operationId).sort(),
  )
  expect(idRoutes.every(({ scopes }) => scopes !== undefined)).toBe(true)
  expect(idRoutes.length).toBeGreaterThanOrEqual(5)
})

describe.each(idRoutes)('$method $path', ({ method, path, scopes }) => {
  it("answers 404 to another user's key", async () => {
    expect((await other.refused(method, concrete(path))).status).toBe(404)
  })

  it('answers 401 without a key', async () => {
    expect((await owner.withKey(undefined).refused(method, concrete(path))).status).toBe(401)
  })

  it('answers 401 to a revoked key', async () => {
    expect((await revoked.refused(method, concrete(path))).status).toBe(401)
  })

  it('answers 403 to a key without the scope', async () => {
    const granted = (['task.read', 'task.write', 'account.read'] as const).filter((scope) => !scopes?.includes(scope))
    const { key } = await newKey({ scopes: granted })
    expect((await owner.withKey(key).refused(method, concrete(path))).status).toBe(403)
  })
})

describe.each(protectedRoutes)('$method $path', ({ method, path, scopes }) => {
  it('answers 401 without a key, and tells how to send one', async () => {
    const { status, headers } = await owner.withKey(undefined).send(method, concrete(path))
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  it('answers 403 to a key without the scope', async () => {
    const { key } = await newKey({ scopes: scopes?.includes('task.read') ? ['task.write'] : ['task.read'] })
    expect((await owner.withKey(key).refused(method, concrete(path))).status).toBe(403)
  })
})

describe('a key', () => {
  it.each(['', 'nonsense', `lathe_${'a'.repeat(36)}`])('of the form %j is refused with 401', async (key) => {
    expect((await owner.withKey(key).refused('GET', '/v1/process/tasks')).errorCode).toBe('unauthorized')
  })

  it('is taken as a Bearer token and in no other way', async () => {
    const { key } = await newKey()
    const anyone = createClient({ url: stack.url, recordFile: stack.recordFile })
    expect((await anyone.get('/v1/process/tasks', { authorization: `Basic ${key}` })).status).toBe(401)
    expect((await anyone.get(`/v1/process/tasks?api_key=${key}`)).status).toBe(401)
    expect((await anyone.get('/v1/process/tasks', { authorization: `bearer ${key}` })).status).toBe(200)
  })

  it("shows nothing of another user's tasks and jobs in its lists", async () => {
    expect((await other.tasks('?per_page=200')).totalDocs).toBe(0)
    expect((await other.jobs('?per_page=200')).totalDocs).toBe(0)
    expect((await other.tasks(`?job=${job.id}`)).docs).toEqual([])
  })

  it('left what it may not touch as it was', async () => {
    expect(webhook).toMatchObject((await owner.get<Webhook>(`/v1/webhooks/${webhook.id}`)).body)
    expect((await owner.task(task.id)).status).toBe('processing')
    expect((await owner.job(job.id)).status).toBe('processing')
  })
})

describe.each(signedRoutes)('$method $path', ({ method, path }) => {
  it('answers 404 to whoever has no signature, key or not', async () => {
    const photo = await importFixture(owner, 'photo-40k.jpg')
    const target = path
      .replace('{taskId}', path.includes('uploads') ? task.id : photo.id)
      .replace('{token}', 'guess')
      .replace('{file}', '0')
      .replace('{filename}', 'photo.jpg')
    const body = new FormData()
    body.append('file', new Blob(['x']), 'x.jpg')
    const request = method === 'POST' ? { raw: body } : {}
    for (const client of [owner, other, owner.withKey(undefined)]) {
      expect((await client.refused(method, target, request)).status).toBe(404)
    }
  })
})
