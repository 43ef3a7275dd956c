import { createHmac } from 'node:crypto'
import type { Delivery, Event, Page, Webhook, WebhookPage, WebhookWithSecret } from '@lathe/contract'
import { answersWith, type Received, startReceiver, waitFor } from '@lathe/testing'
import { Webhook as Verifier } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { importTask, newClient } from '../scenario.ts'

let api: Client
beforeAll(async () => {
  api = await newClient()
})

/** Two receivers' checks: by the library, which throws, and written from the public description of the signature. */
function isGenuine({ headers, body }: Received, secret: string): boolean {
  new Verifier(secret).verify(body, headers as Record<string, string>)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

const tasks = {
  photo: importTask('photo-40k.jpg'),
  webp: { operation: 'convert', input: 'photo', output_format: 'webp' },
}

async function created(json: object): Promise<WebhookWithSecret> {
  const { status, body } = await api.post<WebhookWithSecret>('/v1/webhooks', json)
  expect(status).toBe(201)
  return body
}

function eventsOf(received: readonly Received[], jobId: string): readonly Event[] {
  const events = received.map(({ body }): Event => JSON.parse(body))
  return events.filter(({ data }) => ('job' in data ? data.job.id : data.task.job) === jobId)
}

/** Waits until everything was told of a job that ended, and gives it in the order it came. */
async function whole(received: readonly Received[], jobId: string): Promise<readonly Event[]> {
  const isOver = () => eventsOf(received, jobId).some(({ type }) => type === 'job.completed' || type === 'job.failed')
  await waitFor(isOver, { withinMs: 60_000, what: 'the end of the job as its webhook is told it' })
  return eventsOf(received, jobId)
}

describe('a webhook', () => {
  it('receives all events of a job, in order, signed, with links that work [S-event-01, D-event-43]', async () => {
    await using receiver = await startReceiver(answersWith(204))
    const { id, secret } = await created({ url: receiver.url })
    const job = await api.createJob(tasks)
    const events = await whole(receiver.received, job.id)
    expect(receiver.received.every((one) => isGenuine(one, secret))).toBe(true)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1))
    const types = events.map(({ type }) => type)
    expect(types[0]).toBe('job.created')
    expect(types.at(-1)).toBe('job.completed')
    expect(types).toContain('job.started')
    expect(types.filter((type) => type === 'task.completed')).toHaveLength(2)
    const last = events.at(-1)?.data
    if (!last || !('job' in last)) throw new Error('the last event is about the job')
    expect(last.job.status).toBe('completed')
    const url = last.job.tasks?.find(({ name }) => name === 'webp')?.result.url
    expect((await api.download(url)).length).toBeGreaterThan(0)
    const { body } = await api.get<Page<Delivery>>(`/v1/webhooks/${id}/deliveries?per_page=200&status=delivered`)
    expect(body.totalDocs).toBe(events.length)
    expect(body.docs.every(({ attempts }) => attempts.length === 1 && attempts[0]?.status === 204)).toBe(true)
    await api.remove(`/v1/webhooks/${id}`)
  })

  it('can be pinged, rotated, replayed, changed and deleted [D-event-40]', async () => {
    await using receiver = await startReceiver(answersWith(200))
    const { id } = await created({ url: receiver.url, events: ['task.canceled'], enabled: false })
    const path = `/v1/webhooks/${id}`
    const wait = { prefer: 'wait=30' }
    const ping = await api.post<Delivery>(`${path}/ping`, undefined, wait)
    expect(ping).toMatchObject({ status: 201, body: { status: 'delivered', event: { type: 'webhook.ping' } } })
    const rotated = await api.post<WebhookWithSecret>(`${path}/rotate-secret`)
    expect(rotated.status).toBe(200)
    const replay = await api.post<Delivery>(`${path}/deliveries/${ping.body.id}/replay`, undefined, wait)
    expect(replay).toMatchObject({ status: 201, body: { status: 'delivered', replayOf: ping.body.id } })
    const [first, second] = receiver.received
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second && isGenuine(second, rotated.body.secret)).toBe(true)
    const changed = await api.send<Webhook>('PATCH', path, { json: { enabled: true } })
    expect(changed).toMatchObject({ status: 200, body: { enabled: true } })
    expect((await api.get<Webhook>(path)).body).toEqual(changed.body)
    expect((await api.get<WebhookPage>('/v1/webhooks')).body.docs).toContainEqual(changed.body)
    await api.remove(path)
    expect((await api.refused('GET', path)).status).toBe(404)
  })
})

describe('webhook_url of a job', () => {
  it('receives events of this job only, signed with the one secret of the user [D-event-50]', async () => {
    await using receiver = await startReceiver(answersWith(200))
    const { status, body: shown } = await api.post<WebhookWithSecret>('/v1/webhooks/secret')
    expect(status).toBe(201)
    expect((await api.get<WebhookWithSecret>('/v1/webhooks/secret')).body).toEqual(shown)
    const job = await api.post<{ id: string }>('/v1/process/jobs', { tasks, webhook_url: `${receiver.url}/mine` })
    expect(job.status).toBe(201)
    await api.runJob({ photo: tasks.photo })
    const events = await whole(receiver.received, job.body.id)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1))
    expect(receiver.received).toHaveLength(events.length)
    expect(receiver.received.every((one) => one.path === '/mine' && isGenuine(one, shown.secret))).toBe(true)
    const { body } = await api.get<Page<Delivery>>(`/v1/webhooks/${shown.id}/deliveries`)
    expect(body.docs.every((delivery) => delivery.job === job.body.id)).toBe(true)
  })
})
