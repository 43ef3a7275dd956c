import type { Delivery, ErrorBody, Webhook, WebhookPage, WebhookWithSecret } from '@lathe/contract'
import { bytes } from '@lathe/database'
import { refusedIpv4, spellIpv4, trickUrls } from '@lathe/outbound/testing'
import { createSealer, deriveKeys } from '@lathe/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser, type User } from '../../testing/new-user.ts'
import { secret as installationSecret, startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
let user: User
beforeAll(async () => {
  api = await startApi()
  user = await newUser(api)
})
afterAll(() => api[Symbol.asyncDispose]())

const url = 'https://hooks.example.com/in'
const everything = [
  ...['job.created', 'job.started', 'job.completed', 'job.failed'],
  ...['task.created', 'task.started', 'task.completed', 'task.failed', 'task.canceled', 'task.deleted'],
]

async function created(by: User, body: object = { url }): Promise<WebhookWithSecret> {
  const { status, body: webhook } = await by.post<WebhookWithSecret>('/v1/webhooks', body)
  expect(status).toBe(201)
  return webhook
}

async function refusal(by: User, body: object): Promise<ErrorBody> {
  const answer = await by.post<ErrorBody>('/v1/webhooks', body)
  expect(answer.status).toBe(400)
  return answer.body
}

describe('a webhook', () => {
  it('is created with 201 and a secret of 32 bytes that no other response shows [D-event-40]', async () => {
    const { secret, ...webhook } = await created(user, { url, description: 'for me' })
    expect(secret).toMatch(/^whsec_/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    expect(webhook).toMatchObject({
      url,
      events: everything,
      description: 'for me',
      enabled: true,
      disabledReason: null,
    })
    const shown = await user.get<Webhook>(`/v1/webhooks/${webhook.id}`)
    expect(shown.body).toEqual(webhook)
    const list = await user.get<WebhookPage>('/v1/webhooks')
    expect(list.body.docs).toContainEqual(webhook)
    expect(list.body.webhooks).toEqual(list.body.docs)
    expect(list.body).toMatchObject({ totalDocs: list.body.docs.length, page: 1, limit: 50, hasNextPage: false })
    expect(JSON.stringify(list.body)).not.toContain('whsec_')
  })

  it('stores the requested events, each once', async () => {
    const { events } = await created(user, { url, events: ['task.failed', 'job.completed', 'task.failed'] })
    expect(events).toEqual(['job.completed', 'task.failed'])
  })

  it('is changed field by field, and deleted [D-event-40]', async () => {
    const { id, secret: _, ...before } = await created(user)
    const path = `/v1/webhooks/${id}`
    const one = await user.patch<Webhook>(path, { description: 'new', events: ['job.failed'] })
    expect(one).toMatchObject({ status: 200, body: { description: 'new', events: ['job.failed'], url: before.url } })
    expect((await user.patch<Webhook>(path, { url: 'https://other.example.com/' })).body).toMatchObject({
      url: 'https://other.example.com/',
      description: 'new',
      enabled: true,
    })
    expect((await user.patch<Webhook>(path, { enabled: false, description: null })).body).toMatchObject({
      enabled: false,
      description: null,
    })
    expect((await user.remove(path)).status).toBe(200)
    expect((await user.get(path)).status).toBe(404)
    expect((await user.remove(path)).status).toBe(404)
  })

  it('shows a password in its URL masked, and is stored sealed with its secret [D-event-52]', async () => {
    const {
      id,
      secret,
      url: shown,
    } = await created(user, { url: 'https://me:pa55word-canary@hooks.example.com/in?x=1' })
    expect(shown).toBe('https://me:***@hooks.example.com/in?x=1')
    const { rows } = await api.services.database.pool.query('select * from webhooks where id = $1', [bytes(id)])
    const record = JSON.stringify(rows)
    expect(record).not.toContain('canary')
    expect(record).not.toContain(Buffer.from('pa55word-canary').toString('hex'))
    expect(record).not.toContain(secret)
    const opened = createSealer(deriveKeys([installationSecret], 'credentials')).open(rows[0].sealed, id)
    expect(JSON.parse(opened)).toEqual({ url: 'https://me:pa55word-canary@hooks.example.com/in?x=1', secret })
  })

  it('gets a new secret, while the previous one stays valid for a day [D-event-40]', async () => {
    const { id, secret, oldSecretExpiresAt } = await created(user)
    expect(oldSecretExpiresAt).toBeNull()
    const { status, body } = await user.post<WebhookWithSecret>(`/v1/webhooks/${id}/rotate-secret`)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^whsec_/)
    expect(body.secret).not.toBe(secret)
    expect(Date.parse(body.oldSecretExpiresAt ?? '') - Date.parse(body.updatedAt)).toBe(24 * 3_600_000)
  })

  it('is made once for one Idempotency-Key, and its secret is not in the answer that is kept [D-event-52]', async () => {
    const { headers } = await api.createKey()
    const send = (key: string, payload: object = { url }) =>
      api.app.inject({
        method: 'POST',
        url: '/v1/webhooks',
        payload,
        headers: { ...headers, 'idempotency-key': key },
      })
    const first = (await send('a')).json<WebhookWithSecret>()
    const again = await send('a')
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.json()).toEqual(first)
    expect((await send('a', { url, enabled: false })).statusCode).toBe(409)
    const { rows } = await api.services.database.pool.query('select * from idempotency_keys')
    expect(JSON.stringify(rows)).toContain(first.id)
    expect(JSON.stringify(rows)).not.toContain('whsec_')
  })

  it('is one of at most 20 [L-webhooks]', async () => {
    const many = await newUser(api)
    const made = await Promise.all(Array.from({ length: 25 }, () => many.post<ErrorBody>('/v1/webhooks', { url })))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = made.filter(({ status }) => status === 400)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.body.msg).toContain('20')
    // The secret for the webhook URLs of jobs does not count.
    expect((await many.post('/v1/webhooks/secret')).status).toBe(201)
  })
})

describe('a faulty webhook', () => {
  it('is refused with every faulty field named, and what is allowed [D-event-41]', async () => {
    const { errors = [] } = await refusal(user, { url: 7, events: ['job.done'], enabled: 'yes', secret: 'x' })
    expect(errors.map(({ path }) => path).sort()).toEqual(['enabled', 'events', 'secret', 'url'])
    expect(errors.find(({ path }) => path === 'secret')?.msg).toContain('url, events, description, enabled')
    expect(errors.find(({ path }) => path === 'events')?.msg).toContain('job.completed')
    expect((await refusal(user, {})).errors?.[0]).toMatchObject({ path: 'url' })
    expect((await refusal(user, { url, events: [] })).errors?.[0]).toMatchObject({ path: 'events' })
    expect((await refusal(user, { url, events: ['task.progress'] })).errors?.[0]).toMatchObject({ path: 'events' })
  })

  it('has a URL without TLS, unless the operator allows it [D-event-41]', async () => {
    expect((await refusal(user, { url: 'http://hooks.example.com/' })).errors?.[0]?.msg).toContain('https://')
    const OUTBOUND_ALLOW = 'webhook=127.0.0.1/32,objstore_a=127.0.0.2:8080'
    await using open = await startApi({ env: { WEBHOOKS_ALLOW_HTTP: '1', OUTBOUND_ALLOW } })
    const local = await newUser(open)
    await created(local, { url: 'http://hooks.example.com/' })
    await created(local, { url: 'http://127.0.0.1:8080/' })
    await refusal(local, { url: 'http://127.0.0.2:8080/' })
    await refusal(local, { url: 'ftp://hooks.example.com/' })
  })

  const addresses = refusedIpv4.flatMap((address) => spellIpv4(address).map((text) => `https://${text}/hook`))
  // The tests of the outbound guard cover all spellings. Every fifth is enough here: 5 and 19 (the spellings per
  // address) are coprime, so each spelling still occurs.
  const spellings = [
    ...addresses.filter((_, n) => n % 5 === 0),
    ...trickUrls.map((text) => text.replace(/^http:/, 'https:')),
  ].filter((text) => text !== '' && !text.includes('\0') && text.isWellFormed())

  it(`has one of ${spellings.length} spellings of a forbidden address [D-event-53, D14]`, async () => {
    const other = await newUser(api)
    const taken: string[] = []
    for (const spelling of spellings) {
      const answer = await other.post('/v1/webhooks', { url: spelling })
      if (answer.status !== 400) taken.push(spelling)
    }
    expect(spellings.length).toBeGreaterThan(120)
    expect(taken).toEqual([])
    const job = { tasks: { form: { operation: 'import/upload' } }, webhook_url: spellings[0] }
    const refused = await other.post<ErrorBody>('/v1/process/jobs', job)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'webhook_url' }] } })
  })

  it('is not turned into another kind by a change', async () => {
    const { id } = await created(await newUser(api))
    const refused = await user.patch<ErrorBody>(`/v1/webhooks/${id}`, { kind: 'jobs' })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'kind' }] } })
  })
})

describe('webhooks of somebody else', () => {
  it('are not found by any endpoint [D-event-41]', async () => {
    const [owner, other] = [await newUser(api), await newUser(api)]
    const { id } = await created(owner)
    const { body: delivery } = await owner.post<Delivery>(`/v1/webhooks/${id}/ping`)
    const path = `/v1/webhooks/${id}`
    const answers = await Promise.all([
      other.get(path),
      other.patch(path, { enabled: false }),
      other.remove(path),
      other.post(`${path}/rotate-secret`),
      other.post(`${path}/ping`),
      other.get(`${path}/deliveries`),
      other.post(`${path}/deliveries/${delivery.id}/replay`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404])
    const own = await created(other)
    const foreign = await other.post(`/v1/webhooks/${own.id}/deliveries/${delivery.id}/replay`)
    expect(foreign.status).toBe(404)
    expect((await other.get<WebhookPage>('/v1/webhooks')).body.webhooks.map((one) => one.id)).toEqual([own.id])
    expect((await owner.get<Webhook>(path)).body).toMatchObject({ enabled: true })
  })
})

describe('scopes', () => {
  it('let webhook.read only read, and keys for tasks do nothing [D-event-41]', async () => {
    const call = async (scopes: Parameters<TestApi['createKey']>[0], method: 'GET' | 'POST', path: string) => {
      const { headers } = await api.createKey(scopes)
      return (await api.app.inject({ method, url: path, headers, ...(method === 'POST' && { payload: { url } }) }))
        .statusCode
    }
    expect(await call(['webhook.read'], 'GET', '/v1/webhooks')).toBe(200)
    expect(await call(['webhook.read'], 'POST', '/v1/webhooks')).toBe(403)
    expect(await call(['webhook.read'], 'GET', '/v1/webhooks/secret')).toBe(403)
    expect(await call(['webhook.write'], 'GET', '/v1/webhooks/secret')).toBe(404)
    expect(await call(['task.read', 'task.write'], 'GET', '/v1/webhooks')).toBe(403)
    expect(await call(['task.read', 'task.write'], 'POST', '/v1/webhooks')).toBe(403)
  })
})

describe('deliveries', () => {
  it('are queued with the event, for webhooks that want it and are enabled, and listed newest first [D-event-43]', async () => {
    const owner = await newUser(api)
    const all = await created(owner)
    const some = await created(owner, { url, events: ['task.canceled'] })
    const off = await created(owner, { url, enabled: false })
    const task = await owner.upload()
    await owner.post(`/v1/process/tasks/${task.id}/cancel`)
    const list = async ({ id }: Webhook, query = '') =>
      (await owner.get<{ docs: Delivery[]; totalDocs: number }>(`/v1/webhooks/${id}/deliveries${query}`)).body
    const types = async (webhook: Webhook) => (await list(webhook)).docs.map(({ event }) => event.type)
    expect((await types(all)).sort()).toEqual(['task.canceled', 'task.created', 'task.started'])
    expect(await types(some)).toEqual(['task.canceled'])
    expect(await types(off)).toEqual([])
    expect((await list(some)).docs[0]).toMatchObject({
      webhook: some.id,
      task: task.id,
      job: null,
      status: 'pending',
      attempts: [],
      replayOf: null,
      endedAt: null,
    })
    expect(await list(all, '?status=delivered')).toMatchObject({ docs: [], totalDocs: 0 })
    expect(await list(all, '?per_page=2&page=2')).toMatchObject({ totalDocs: 3, docs: [{}] })
    expect((await owner.get(`/v1/webhooks/${all.id}/deliveries?status=lost`)).status).toBe(400)
  })

  it('end when the webhook is disabled, and are replayed once it is enabled again [D-event-47]', async () => {
    const owner = await newUser(api)
    const { id } = await created(owner, { url, events: ['task.created'] })
    await owner.upload()
    const deliveries = async () => (await owner.get<{ docs: Delivery[] }>(`/v1/webhooks/${id}/deliveries`)).body.docs
    const [before] = await deliveries()
    await owner.patch(`/v1/webhooks/${id}`, { enabled: false })
    expect((await deliveries())[0]).toMatchObject({ status: 'failed', reason: 'The webhook was disabled.' })
    const replay = () => owner.post<Delivery>(`/v1/webhooks/${id}/deliveries/${before?.id}/replay`)
    expect((await replay()).status).toBe(400)
    await owner.patch(`/v1/webhooks/${id}`, { enabled: true })
    const again = await replay()
    expect(again).toMatchObject({
      status: 201,
      body: { replayOf: before?.id, event: before?.event, status: 'pending' },
    })
    expect(await deliveries()).toHaveLength(2)
  })

  it('get no secret by asking for one: it is created by a POST, once', async () => {
    const owner = await newUser(api)
    expect(await owner.get<ErrorBody>('/v1/webhooks/secret')).toMatchObject({ status: 404 })
    expect((await owner.get<WebhookPage>('/v1/webhooks')).body.docs).toEqual([])
    const { status, body: made } = await owner.post<WebhookWithSecret>('/v1/webhooks/secret')
    expect([status, made.secret.startsWith('whsec_')]).toEqual([201, true])
    expect((await owner.get<WebhookWithSecret>('/v1/webhooks/secret')).body).toEqual(made)
  })

  it('of a job with a webhook_url belong to the one webhook for all of them [D-event-50]', async () => {
    const owner = await newUser(api)
    const job = { tasks: { form: { operation: 'import/upload' } }, webhook_url: 'https://a:b0nd-canary@x.example.com/' }
    expect((await owner.post('/v1/process/jobs', job)).status).toBe(201)
    await owner.post('/v1/process/jobs', { tasks: job.tasks })
    const { body: shown } = await owner.get<WebhookWithSecret>('/v1/webhooks/secret')
    expect(shown).toMatchObject({ url: null, events: everything, enabled: true })
    const again = await owner.get<WebhookWithSecret>('/v1/webhooks/secret')
    expect(again.body).toEqual(shown)
    expect((await owner.post<WebhookWithSecret>('/v1/webhooks/secret')).body).toEqual(shown)
    const { body } = await owner.get<{ docs: Delivery[] }>(`/v1/webhooks/${shown.id}/deliveries`)
    expect(body.docs.map(({ event }) => event.type).sort()).toEqual([
      'job.created',
      'job.started',
      'task.created',
      'task.started',
    ])
    const { rows } = await api.services.database.pool.query('select * from job_webhooks')
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('canary').toString('hex'))
    expect((await owner.patch(`/v1/webhooks/${shown.id}`, { url })).status).toBe(400)
    expect((await owner.post(`/v1/webhooks/${shown.id}/ping`)).status).toBe(400)
  })

  it('create no webhook when the request of a job is repeated or refused (A9)', async () => {
    const owner = await newUser(api)
    const secret = () => owner.get<WebhookWithSecret>('/v1/webhooks/secret')
    const job = { tasks: { form: { operation: 'import/upload' } }, webhook_url: url }
    const send = (key: string, body: object) => owner.post('/v1/process/jobs', body, { 'idempotency-key': key })
    expect((await send('first', { tasks: job.tasks })).status).toBe(201)
    expect((await send('first', job)).status).toBe(409)
    const unknown = { operation: 'convert', input: '0123456789abcdef01234567', output_format: 'png' }
    expect((await send('unknown', { ...job, tasks: { unknown } })).status).toBe(400)
    expect((await secret()).status).toBe(404)

    expect((await send('second', job)).status).toBe(201)
    await owner.remove(`/v1/webhooks/${(await secret()).body.id}`)
    expect((await send('second', job)).status).toBe(201)
    expect((await secret()).status).toBe(404)
  })

  it('have one webhook when several jobs and a request for the secret are sent at once', async () => {
    const owner = await newUser(api)
    const job = { tasks: { form: { operation: 'import/upload' } }, webhook_url: url }
    const created = await Promise.all([
      ...Array.from({ length: 6 }, () => owner.post('/v1/process/jobs', job)),
      ...Array.from({ length: 6 }, () => owner.post('/v1/webhooks/secret')),
    ])
    expect(created.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 201))
    const { body } = await owner.get<WebhookPage>('/v1/webhooks')
    expect(body.docs).toHaveLength(1)
    const { body: deliveries } = await owner.get<{ docs: Delivery[] }>(`/v1/webhooks/${body.docs[0]?.id}/deliveries`)
    expect(deliveries.docs).toHaveLength(24)
  })
})
