import { createHmac } from 'node:crypto'
import { bytes } from '@lathe/database'
import { answersWith, type Received, startReceiver } from '@lathe/testing'
import { changeWebhook, replayDelivery, rotateSecret, secretOf } from '@lathe/webhooks'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostOffice, type PostOffice } from '../testing/post-office.ts'

let office: PostOffice
beforeAll(async () => {
  office = await createPostOffice()
})
afterAll(() => office[Symbol.asyncDispose]())

/**
 * A receiver's check written only from the public description: HMAC-SHA256 over `id.timestamp.body` with the bytes
 * after `whsec_`; the header lists `version,base64` pairs, separated by spaces; old timestamps are rejected.
 */
function isGenuine({ headers, body }: Received, secret: string, now = Date.now()): boolean {
  const [id, timestamp, list] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]))
  if (Math.abs(now / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return (list ?? '').split(' ').some((entry) => entry === `v1,${expected}`)
}

function isVerified({ headers, body }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

describe('a delivery', () => {
  it('contains the event, with a signature that two independent receivers verify with its secret only [D-event-42]', async () => {
    await using receiver = await startReceiver(answersWith(204))
    await using _ = office.open()
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url)
    const taskId = await office.happen(caller)
    const [delivery] = await office.until(webhook, ([one]) => one?.status === 'delivered')
    const [got] = receiver.received as [Received]
    expect(isGenuine(got, webhook.secret)).toBe(true)
    expect(isVerified(got, webhook.secret)).toBe(true)
    expect(got.headers['content-type']).toBe('application/json')
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    expect([isGenuine(got, other), isVerified(got, other)]).toEqual([false, false])
    const forged = { ...got, body: got.body.replace('task.created', 'task.deleted') }
    expect([isGenuine(forged, webhook.secret), isVerified(forged, webhook.secret)]).toEqual([false, false])
    const event = JSON.parse(got.body)
    expect(event).toMatchObject({ type: 'task.created', seq: 1, data: { task: { id: taskId, status: 'created' } } })
    expect(got.headers['webhook-id']).toBe(event.id)
    expect(delivery).toMatchObject({
      eventId: event.id,
      attempts: [{ status: 204, answer: '' }],
      dueAt: null,
      reason: null,
    })
  })

  it('is signed by two secrets for a day after a change, then by the new one alone [D-event-42]', async () => {
    await using receiver = await startReceiver(answersWith(200))
    await using _ = office.open()
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url)
    const changed = await office.database.transaction((tx) => rotateSecret(tx, office.parts, webhook))
    const fresh = secretOf(office.parts, changed)
    await office.ping(webhook)
    await office.until(webhook, (all) => all.every(({ status: now }) => now === 'delivered'))
    const [both] = receiver.received as [Received]
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const secret of [webhook.secret, fresh]) {
      expect([isGenuine(both, secret), isVerified(both, secret)]).toEqual([true, true])
    }
    office.clock.advance(24 * 3_600_000 + 1)
    await office.ping(webhook)
    await office.until(webhook, (all) => all.length === 2 && all.every(({ status: now }) => now === 'delivered'))
    const [, later] = receiver.received as [Received, Received]
    const now = office.clock.now().getTime()
    expect([isGenuine(later, fresh, now), isGenuine(later, webhook.secret, now)]).toEqual([true, false])
  })

  it('is replayed under the same webhook-id, with the same body [D-event-47]', async () => {
    await using receiver = await startReceiver(answersWith(200))
    await using _ = office.open()
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url)
    await office.happen(caller)
    const [first] = await office.until(webhook, ([one]) => one?.status === 'delivered')
    const again = await office.database.transaction((tx) => replayDelivery(tx, office.parts, webhook, first?.id ?? ''))
    expect(again.replayOf).toBe(first?.id)
    await office.until(webhook, (all) => all.length === 2 && all.every(({ status: now }) => now === 'delivered'))
    const [one, two] = receiver.received as [Received, Received]
    expect(two.headers['webhook-id']).toBe(one.headers['webhook-id'])
    expect(two.body).toBe(one.body)
  })

  it('keeps 4 KiB of an answer of 10 MiB, and an answer with NUL in it [D-event-47, L-webhooks, D14]', async () => {
    await using receiver = await startReceiver((response) => {
      response.on('error', () => {})
      response.end(`\0${'x'.repeat(10 * 1024 * 1024)}`)
    })
    await using _ = office.open()
    const webhook = await office.addWebhook(await office.shop.addOwner(), receiver.url)
    await office.ping(webhook)
    const [delivery] = await office.until(webhook, ([one]) => one?.status === 'delivered')
    expect(delivery?.attempts[0]?.answer).toBe(`\ufffd${'x'.repeat(4095)}`)
  })

  it('larger than 20 kB contains ids and links instead [D-event-51, L-webhooks]', async () => {
    await using receiver = await startReceiver(answersWith(200))
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url, ['job.created'])
    const payload = { url: `https://files.example.com/${'x'.repeat(300)}` }
    const { jobId } = await office.newJob(caller, { count: 60, tag: 'large', payload })
    await using _ = office.open()
    await office.until(webhook, ([one]) => one?.status === 'delivered')
    const { body } = receiver.received[0] as Received
    expect(Buffer.byteLength(body)).toBeLessThan(20_000)
    expect(JSON.parse(body)).toMatchObject({
      type: 'job.created',
      truncated: true,
      data: { job: { id: jobId, tag: 'large', url: `https://lathe.test/v1/process/jobs/${jobId}` } },
    })
  })

  it('to the webhook_url of a job is signed with the secret of all of them, and ends with 410 [D-event-50]', async () => {
    const gone = { now: false }
    await using receiver = await startReceiver((response) => void response.writeHead(gone.now ? 410 : 200).end())
    await using _ = office.open()
    const caller = await office.shop.addOwner()
    const webhook = await office.jobsWebhook(caller)
    const { taskIds } = await office.newJob(caller, { url: `${receiver.url}/of-the-job` })
    // Another task has no `webhook_url`: none of its events are sent there.
    await office.happen(caller)
    await office.until(webhook, (all) => all.length === 4 && all.every(({ status: now }) => now === 'delivered'))
    const secret = secretOf(office.parts, webhook)
    expect(receiver.received.every((got) => isGenuine(got, secret, office.clock.now().getTime()))).toBe(true)
    expect(receiver.received.map(({ path, body }) => [path, JSON.parse(body).seq])).toEqual(
      [1, 2, 3, 4].map((seq) => ['/of-the-job', seq]),
    )
    gone.now = true
    await office.shop.orchestrator.cancelTask(caller, taskIds[0] ?? '')
    const ended = await office.until(webhook, (all) => all.every(({ status: now }) => now !== 'pending'))
    expect(ended.filter(({ status: now }) => now === 'failed')).toHaveLength(2)
    expect(receiver.received).toHaveLength(5)
    expect(await office.webhookState(webhook)).toMatchObject({ enabled: true, disabledReason: null })
  })

  it('is dropped if its webhook was disabled or deleted meanwhile', async () => {
    await using receiver = await startReceiver(answersWith(200))
    const caller = await office.shop.addOwner()
    const [off, deleted] = [
      await office.addWebhook(caller, receiver.url),
      await office.addWebhook(caller, receiver.url),
    ]
    await office.happen(caller)
    // The state that a process finds if it looked just before the change.
    await office.database.pool.query('update webhooks set enabled = false where id = $1', [bytes(off.id)])
    await office.database.pool.query('delete from webhooks where id = $1', [bytes(deleted.id)])
    await using _ = office.open()
    const ends = await Promise.all(
      [off, deleted].map((webhook) => office.until(webhook, ([one]) => one?.status === 'failed')),
    )
    expect(ends.map(([one]) => one?.reason)).toEqual(['The webhook was disabled.', 'The webhook was deleted.'])
    expect(receiver.received).toEqual([])
    await office.database.transaction((tx) => changeWebhook(tx, office.parts, off, { enabled: true }))
  })
})
