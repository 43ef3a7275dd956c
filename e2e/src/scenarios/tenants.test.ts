import type { Delivery, Job, JobTokenWithText, Preset, Task, Webhook } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { apiRoutes } from '../openapi.ts'
import { importFixture, importTask, newClient, newKey, revokeKey, stack } from '../scenario.ts'

/** Endpoints whose path holds a secret of its own instead of a key. */
const signedPaths = [
  '/v1/uploads/{taskId}/{token}',
  '/v1/uploads/{taskId}/{token}/tus',
  '/v1/uploads/{taskId}/{token}/tus/{uploadId}',
  '/v1/files/{taskId}/{file}',
  '/v1/files/{taskId}/{file}/{filename}',
]

const idRoutes = apiRoutes.filter(
  ({ path }) => /\{(taskId|jobId|webhookId|keyId|tokenId|presetId)\}/.test(path) && !signedPaths.includes(path),
)
const signedRoutes = apiRoutes.filter(({ path }) => signedPaths.includes(path))
const protectedRoutes = apiRoutes.filter(({ scopes }) => scopes !== undefined)

let owner: Client
let ownerKey: { readonly keyId: string; readonly key: string }
let other: Client
let revoked: Client
let task: Task
let job: Job
let webhook: Webhook
let delivery: Delivery
let jobToken: JobTokenWithText
let preset: Preset
/** Who has a token of the owner's job, and who has one of another job of the owner. */
let guest: Client
let stranger: Client

beforeAll(async () => {
  const everything = {
    slots: 8,
    scopes: ['task.read', 'task.write', 'webhook.read', 'webhook.write', 'account.read', 'account.write'],
  } as const
  ownerKey = await newKey(everything)
  owner = createClient({ url: stack.url, key: ownerKey.key, recordFile: stack.recordFile })
  other = await newClient(everything)
  task = await owner.create('import/upload')
  job = await owner.createJob({ form: { operation: 'import/upload' }, photo: importTask('photo-40k.jpg') })
  await owner.endedTask(job.tasks?.[1]?.id ?? '')
  const address = { url: 'https://hooks.example.com/', enabled: false }
  webhook = (await owner.post<Webhook>('/v1/webhooks', address)).body
  delivery = (await owner.post<Delivery>(`/v1/webhooks/${webhook.id}/ping`)).body
  const settings = { name: 'mine', operation: 'convert', output_format: 'webp' }
  preset = (await owner.post<Preset>('/v1/presets', settings)).body
  jobToken = (await owner.post<JobTokenWithText>(`/v1/process/jobs/${job.id}/tokens`)).body
  guest = owner.withKey(jobToken.token ?? '')
  const otherJob = await owner.createJob({ form: { operation: 'import/upload' } })
  const otherToken = await owner.post<JobTokenWithText>(`/v1/process/jobs/${otherJob.id}/tokens`)
  stranger = owner.withKey(otherToken.body.token ?? '')
  const key = await newKey()
  revoked = owner.withKey(key.key)
  await revokeKey(key.keyId)
  const isDead = async () => (await revoked.get('/v1/process/tasks')).status === 401
  await waitFor(isDead, { withinMs: 10_000, everyMs: 200, what: 'the end of the revoked key' })
})

/** The path with the owner's ids in it; a parameter nobody thought of fails the test. */
function concrete(path: string): string {
  const ids = {
    taskId: task.id,
    jobId: job.id,
    webhookId: webhook.id,
    deliveryId: delivery.id,
    keyId: ownerKey.keyId,
    tokenId: jobToken.id,
    presetId: preset.id,
    file: '0',
  }
  const filled = Object.entries(ids).reduce((text, [name, id]) => text.replace(`{${name}}`, id), path)
  if (filled.includes('{')) throw new Error(`no value for a parameter of ${path}`)
  return filled
}

it('every route with an id has test cases here', () => {
  const withId = apiRoutes.filter(({ path }) => path.includes('{'))
  expect([...idRoutes, ...signedRoutes].map(({ operationId }) => operationId).sort()).toEqual(
    withId.map(({ operationId }) => operationId).sort(),
  )
  expect(idRoutes.every(({ scopes }) => scopes !== undefined)).toBe(true)
  expect(idRoutes.length).toBeGreaterThanOrEqual(5)
})

describe.each(idRoutes)('$method $path', ({ method, path, scopes }) => {
  it("answers 404 to another user's key [D-http-32, D-event-24]", async () => {
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
  it('answers 401 without a key, and explains how to send one', async () => {
    const { status, headers } = await owner.withKey(undefined).send(method, concrete(path))
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  it('answers 403 to a key without the scope', async () => {
    const { key } = await newKey({ scopes: scopes?.includes('task.read') ? ['task.write'] : ['task.read'] })
    expect((await owner.withKey(key).refused(method, concrete(path))).status).toBe(403)
  })
})

/** What a job token can read; all else is refused. */
const shared = ['jobEvents', 'listTaskFiles', 'showJob', 'showPreview', 'showTask', 'taskEvents']

describe.each(protectedRoutes)('a job token on $method $path', ({ method, path, operationId }) => {
  // Only the photo has a file and so a preview.
  const n = operationId === 'showPreview' ? 1 : 0
  const ofJob = () => concrete(path).replace(task.id, job.tasks?.[n]?.id ?? '')

  it(shared.includes(operationId) ? 'reads its own job' : 'is refused with 403', async () => {
    // The events of a job that is open do not end.
    const verb = operationId.endsWith('Events') ? 'HEAD' : method
    // A preview is waited for; the job itself stays open.
    const patient = operationId === 'showPreview' ? { headers: { prefer: 'wait=60' } } : {}
    expect((await guest.send(verb, ofJob(), patient)).status).toBe(shared.includes(operationId) ? 200 : 403)
  })

  it(
    shared.includes(operationId) ? 'does not find another job of its owner' : 'of another job is refused',
    async () => {
      expect((await stranger.refused(method, ofJob())).status).toBe(shared.includes(operationId) ? 404 : 403)
    },
  )
})

describe('a key', () => {
  it.each(['', 'nonsense', `lathe_${'a'.repeat(36)}`])('of the form %j is refused with 401', async (key) => {
    expect((await owner.withKey(key).refused('GET', '/v1/process/tasks')).errorCode).toBe('unauthorized')
  })

  it('is accepted as a Bearer token only', async () => {
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

  it('has changed nothing that it has no access to', async () => {
    expect(webhook).toMatchObject((await owner.get<Webhook>(`/v1/webhooks/${webhook.id}`)).body)
    expect((await owner.get<Preset>(`/v1/presets/${preset.id}`)).body).toEqual(preset)
    expect((await owner.task(task.id)).status).toBe('processing')
    expect((await owner.job(job.id)).status).toBe('processing')
  })
})

describe.each(signedRoutes)('$method $path', ({ method, path }) => {
  it('answers 404 without a signature, with and without a key', async () => {
    const photo = await importFixture(owner, 'photo-40k.jpg')
    const target = path
      .replace('{taskId}', path.includes('uploads') ? task.id : photo.id)
      .replace('{token}', 'guess')
      .replace('{uploadId}', 'guess')
      .replace('{file}', '0')
      .replace('{filename}', 'photo.jpg')
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-offset': '0' }
    const type = { 'content-type': 'application/offset+octet-stream' }
    const body = new FormData()
    body.append('file', new Blob(['x']), 'x.jpg')
    const request = path.includes('/tus')
      ? { headers: { ...tus, ...(method === 'PATCH' && type) }, ...(method === 'PATCH' && { raw: 'x' }) }
      : method === 'POST'
        ? { raw: body }
        : {}
    for (const client of [owner, other, owner.withKey(undefined)]) {
      expect((await client.send(method, target, request)).status).toBe(404)
    }
  })
})
