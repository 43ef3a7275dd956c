import { answersWith, startReceiver } from '@lathe/testing'
import { changeWebhook } from '@lathe/webhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostOffice, type PostOffice } from '../testing/post-office.ts'

let office: PostOffice
beforeAll(async () => {
  office = await createPostOffice()
})
afterAll(() => office[Symbol.asyncDispose]())

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const delays = [
  ...[0, 5 * second, 5 * minute, 30 * minute, 2 * hour],
  ...[5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
]

describe('a receiver that fails', () => {
  it('is tried ten times over 75 hours, at the times of the schedule and not before, which the log shows [D-event-44, L-webhooks]', async () => {
    await using receiver = await startReceiver((response) => void response.writeHead(500).end('no'))
    await using witness = await startReceiver(answersWith(200))
    await using _ = office.open()
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url, ['task.created'])
    const other = await office.addWebhook(caller, witness.url, [])
    const start = office.clock.now().getTime()
    await office.happen(caller)
    for (const [tries, delay] of delays.entries()) {
      if (tries > 0) {
        office.clock.advance(delay - 1)
        // When a test event sent now has arrived, everything that was due before it has been processed.
        const { id } = await office.ping(other)
        await office.until(other, (all) => all.some((one) => one.id === id && one.status === 'delivered'))
        expect(receiver.received).toHaveLength(tries)
        office.clock.advance(1)
      }
      const [delivery] = await office.until(webhook, ([one]) => one?.attempts.length === tries + 1)
      const now = office.clock.now().getTime()
      expect(Date.parse(delivery?.attempts.at(-1)?.at ?? '')).toBe(now)
      const next = delays[tries + 1]
      expect(delivery?.dueAt?.getTime()).toBe(next === undefined ? undefined : now + next)
    }
    const [delivery] = await office.deliveriesOf(webhook)
    expect(delivery).toMatchObject({ status: 'failed', reason: 'Every try failed.', dueAt: null })
    expect(delivery?.attempts.map(({ status: answer, answer: words }) => [answer, words])).toEqual(
      delays.map(() => [500, 'no']),
    )
    expect(office.clock.now().getTime() - start).toBe(272_105_000)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
  })

  it('is disabled after ten deliveries in a row of which every try failed, and can be enabled again [D-event-46, L-webhooks]', async () => {
    const broken = { now: true }
    await using receiver = await startReceiver((response) => void response.writeHead(broken.now ? 503 : 200).end())
    await using _ = office.open()
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url, ['task.created'])
    /** Makes this many more deliveries fail with all their attempts. */
    async function fail(count: number): Promise<void> {
      for (let n = 0; n < count; n++) await office.happen(caller)
      for (const delay of delays) {
        office.clock.advance(delay)
        const now = office.clock.now()
        await office.until(webhook, (all) =>
          all.every(({ status: state, dueAt }) => state !== 'pending' || (dueAt ?? now) > now),
        )
      }
      await office.until(webhook, (all) => all.every(({ status: state }) => state !== 'pending'))
    }
    await fail(9)
    expect(await office.webhookState(webhook)).toMatchObject({ enabled: true, exhausted: 9 })
    broken.now = false
    await office.happen(caller)
    await office.until(webhook, (all) => all.some(({ status: state }) => state === 'delivered'))
    expect(await office.webhookState(webhook)).toMatchObject({ enabled: true, exhausted: 0 })
    broken.now = true
    await fail(10)
    const all = await office.until(webhook, ([note]) => note?.type === 'webhook.disabled')
    expect(all[0]).toMatchObject({ status: 'failed', attempts: [], reason: expect.stringContaining('10 deliveries') })
    expect(await office.webhookState(webhook)).toMatchObject({ enabled: false, disabledReason: 'failing' })
    const count = receiver.received.length
    await office.happen(caller)
    expect((await office.deliveriesOf(webhook)).length).toBe(all.length)
    const again = await office.database.transaction((tx) => changeWebhook(tx, office.parts, webhook, { enabled: true }))
    expect(again).toMatchObject({ enabled: true, disabledReason: null })
    broken.now = false
    await office.happen(caller)
    await office.until(
      webhook,
      (now) => now.length === all.length + 1 && now.every(({ status: state }) => state !== 'pending'),
    )
    expect(receiver.received.length).toBe(count + 1)
    expect(await office.webhookState(webhook)).toMatchObject({ exhausted: 0 })
  })

  it('may ask for up to an hour with Retry-After [D-event-44]', async () => {
    await using receiver = await startReceiver(answersWith(429, { 'retry-after': '600' }))
    await using greedy = await startReceiver(answersWith(503, { 'retry-after': '999999' }))
    await using _ = office.open()
    const caller = await office.shop.addOwner()
    const [modest, much] = [
      await office.addWebhook(caller, receiver.url, ['task.created']),
      await office.addWebhook(caller, greedy.url, ['task.created']),
    ]
    await office.happen(caller)
    const now = office.clock.now().getTime()
    const due = async (webhook: { id: string }) =>
      (await office.until(webhook, ([one]) => one?.attempts.length === 1))[0]?.dueAt?.getTime()
    expect(await due(modest)).toBe(now + 10 * minute)
    expect(await due(much)).toBe(now + hour)
  })
})

describe('a receiver that answers [D-event-45]', () => {
  it('with a redirect has failed, and is not followed [D14]', async () => {
    await using receiver = await startReceiver(answersWith(307, { location: '/elsewhere' }))
    await using _ = office.open()
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url, ['task.created'])
    await office.happen(caller)
    const [delivery] = await office.until(webhook, ([one]) => one?.attempts.length === 1)
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status: 307, reason: expect.any(String) }] })
    expect(receiver.received.map(({ path }) => path)).toEqual(['/'])
  })

  it('with 410 is disabled at once, with all that waits for it, and the log says so', async () => {
    await using receiver = await startReceiver(answersWith(410))
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url, ['task.created'])
    for (let n = 0; n < 6; n++) await office.happen(caller)
    await using _ = office.open({ limits: { perOwner: 1 } })
    const all = await office.until(webhook, ([note]) => note?.type === 'webhook.disabled')
    expect(await office.webhookState(webhook)).toMatchObject({ enabled: false, disabledReason: 'gone' })
    expect(all).toHaveLength(7)
    expect(all.every(({ status: now, reason }) => now === 'failed' && reason?.includes('410'))).toBe(true)
    expect(receiver.received).toHaveLength(1)
  })

  it('too late, or not at all, has failed, and the log says which [L-webhooks]', async () => {
    await using silent = await startReceiver(() => {})
    await using rude = await startReceiver((response) => response.destroy())
    await using _ = office.open({ limits: { timeoutMs: 300 } })
    const caller = await office.shop.addOwner()
    const [late, cut] = [
      await office.addWebhook(caller, silent.url, ['task.created']),
      await office.addWebhook(caller, rude.url, ['task.created']),
    ]
    await office.happen(caller)
    const attempt = async (webhook: { id: string }) =>
      (await office.until(webhook, ([one]) => one?.attempts.length === 1))[0]?.attempts[0]
    expect(await attempt(late)).toMatchObject({ status: null, reason: expect.stringMatching(/^timeout:/) })
    expect((await attempt(late))?.tookMs).toBeGreaterThanOrEqual(300)
    expect(await attempt(cut)).toMatchObject({ status: null, reason: expect.stringMatching(/^unreachable:/) })
  })
})
