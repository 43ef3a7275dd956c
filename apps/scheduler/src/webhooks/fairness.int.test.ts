import { insertWebhook } from '@lathe/database'
import { createOutbound, type Outbound } from '@lathe/outbound'
import { createFakeNet, refusedIpv4, refusedIpv6, spellIpv4, spellIpv6, trickUrls } from '@lathe/outbound/testing'
import { answersWith, startReceiver, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { createPostOffice, type PostOffice } from '../testing/post-office.ts'

let office: PostOffice
beforeAll(async () => {
  office = await createPostOffice()
})
afterAll(() => office[Symbol.asyncDispose]())

describe('many deliveries', () => {
  it('of one owner run four at a time over all processes, and delay nobody else [L-webhooks, D14]', async () => {
    await using slow = await startReceiver(() => {})
    await using quick = await startReceiver(answersWith(200))
    await using _one = office.open({ limits: { atOnce: 8, perOwner: 4 } })
    await using _two = office.open({ limits: { atOnce: 8, perOwner: 4 } })
    const [stuck, other] = [await office.shop.addOwner(), await office.shop.addOwner()]
    await office.addWebhook(stuck, slow.url, ['task.created'])
    const webhook = await office.addWebhook(other, quick.url, ['task.created'])
    for (let n = 0; n < 40; n++) await office.happen(stuck)
    await waitFor(() => slow.received.length === 4, { withinMs: 20_000 })
    const started = performance.now()
    for (let n = 0; n < 20; n++) await office.happen(other)
    await office.until(webhook, (all) => all.length === 20 && all.every(({ status: now }) => now === 'delivered'))
    // The slow receiver would hold its slots for 15 s each.
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(slow.received).toHaveLength(4)
    expect(slow.mostAtOnce).toBe(4)
    expect(quick.mostAtOnce).toBeLessThanOrEqual(4)
  })

  it('of one owner run 16 at a time by default (WEBHOOKS_PER_OWNER)', async () => {
    const env = { DATABASE_URL: 'postgres://x', LATHE_SECRET: 'a secret for tests that is long enough' }
    const storage = { STORAGE_KIND: 'disk', STORAGE_DIR: '/tmp/x' }
    expect(readConfig({ ...env, ...storage }).webhooks.perOwner).toBe(16)
    expect(readConfig({ ...env, ...storage, WEBHOOKS_PER_OWNER: '40' }).webhooks.perOwner).toBe(40)
    await using office = await createPostOffice()
    await using slow = await startReceiver(() => {})
    await using _ = office.open()
    const caller = await office.shop.addOwner()
    await office.addWebhook(caller, slow.url, ['task.created'])
    for (let n = 0; n < 20; n++) await office.happen(caller)
    await waitFor(() => slow.received.length === 16, { withinMs: 20_000 })
    expect(slow.mostAtOnce).toBe(16)
  })

  it('of one job arrive in order while first attempts succeed, and a failed one does not delay later ones [D-event-49]', async () => {
    const seen: number[] = []
    await using receiver = await startReceiver((response, { body }) => {
      const { seq } = JSON.parse(body)
      seen.push(seq)
      // Later answers come faster: only waiting for each one keeps the order.
      setTimeout(() => response.writeHead(seq === 3 ? 500 : 200).end(), Math.max(1, 40 - 4 * seq))
    })
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url)
    await office.newJob(caller, { count: 4 })
    await using _one = office.open()
    await using _two = office.open()
    await office.until(webhook, (all) => all.length === 10 && all.every(({ attempts }) => attempts.length === 1))
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    office.clock.advance(5_000)
    await office.until(webhook, (all) => all.some(({ attempts }) => attempts.length === 2))
    expect(seen.at(-1)).toBe(3)
  })

  it('are made again if a process died between sending and writing: at least once, under the same id [D-event-48]', async () => {
    // A separate office, without other deliveries.
    await using office = await createPostOffice()
    await using receiver = await startReceiver(answersWith(200))
    await using door = createOutbound({ allow: ['127.0.0.1/32'] })
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url, ['task.created'])
    // It sends, and then never reports back.
    const dying: Pick<Outbound, 'send'> = {
      async send(url, options) {
        await door.send(url, options)
        return new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(new Error('dead'))))
      },
    }
    await using _dying = office.open({ outbound: dying, limits: { atOnce: 1 } })
    await office.happen(caller)
    await waitFor(() => receiver.received.length === 1, { withinMs: 20_000 })
    await using _heir = office.open()
    const [waiting] = await office.deliveriesOf(webhook)
    expect(waiting).toMatchObject({ status: 'pending', attempts: [] })
    office.clock.advance(60_001)
    await office.until(webhook, ([one]) => one?.status === 'delivered')
    expect(receiver.received.length).toBeGreaterThanOrEqual(2)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('in progress are released by a process that stops, and continued by the next at once [D-event-48]', async () => {
    await using receiver = await startReceiver((response) => {
      if (receiver.received.length > 1) response.end()
    })
    const caller = await office.shop.addOwner()
    const webhook = await office.addWebhook(caller, receiver.url, ['task.created'])
    await office.happen(caller)
    const first = office.open()
    await waitFor(() => receiver.received.length === 1, { withinMs: 20_000 })
    await first[Symbol.asyncDispose]()
    await using _ = office.open()
    const [delivery] = await office.until(webhook, ([one]) => one?.status === 'delivered')
    expect(delivery?.attempts).toHaveLength(1)
  })
})

describe('a forbidden address', () => {
  const spellings = [
    ...refusedIpv4.flatMap((address) => spellIpv4(address)),
    ...refusedIpv6.flatMap((address) => spellIpv6(address)),
  ].map((host, n) => `${n % 2 ? 'https' : 'http'}://${host}/hook`)
  // All of them are rejected when a webhook is created; here every sixteenth is stored in the database anyway.
  const chosen = [...spellings.filter((_, n) => n % 16 === 0), ...trickUrls.filter((url) => url !== '')]

  it(`is not connected to at delivery either, in any of ${chosen.length} spellings [D-event-53, D14]`, async () => {
    const net = createFakeNet({ 'evil.example.com': [['127.0.0.1']] }, (_, response) => void response.end())
    await using outbound = createOutbound({ allow: [] }, net)
    await using _ = office.open({ outbound })
    const owners = await Promise.all(Array.from({ length: 16 }, () => office.shop.addOwner()))
    const { sealer, ids, clock } = office.parts
    const webhooks = [...chosen, 'https://evil.example.com/hook'].map((url, n) => {
      const id = ids.next()
      const ownerId = owners[n % owners.length]?.ownerId ?? ''
      const sealed = sealer.seal(JSON.stringify({ url, secret: 'whsec_c2VjcmV0' }), id)
      const now = clock.now()
      const off = { description: null, enabled: true, disabledReason: null, createdAt: now, updatedAt: now }
      return { ...off, id, ownerId, kind: 'own' as const, events: [], sealed }
    })
    expect(chosen.length).toBeGreaterThan(120)
    await Promise.all(webhooks.map((webhook) => insertWebhook(office.database.pool, webhook)))
    await Promise.all(webhooks.map((webhook) => office.ping(webhook)))
    const reached: unknown[] = []
    for (const webhook of webhooks) {
      const [delivery] = await office.until(webhook, ([one]) => one?.status !== 'pending')
      if (!delivery?.attempts[0]?.reason?.startsWith('url_forbidden:')) reached.push(delivery)
    }
    expect({ reached, lookups: net.lookups, dials: net.dials }).toEqual({
      reached: [],
      lookups: ['evil.example.com'],
      dials: [],
    })
  })
})
