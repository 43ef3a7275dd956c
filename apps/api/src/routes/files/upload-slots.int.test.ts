import { setTimeout as pause } from 'node:timers/promises'
import type { Task, UploadForm } from '@lathe/contract'
import { waitFor as waitForOne } from '@lathe/testing'
import { expect, it } from 'vitest'
import { type SlowSender, startSlowSender } from '../../testing/slow-sender.ts'
import { startApi, type TestApi, type TestApiOptions } from '../../testing/start-api.ts'

async function startListening(http: NonNullable<TestApiOptions['http']>, more: TestApiOptions = {}) {
  const api = await startApi({ ...more, http })
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  return { api, base, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() }
}

/** A new account that creates forms and sends files to them. */
async function newSender(api: TestApi, base: string) {
  const { headers } = await api.createKey()
  const createForm = async (): Promise<UploadForm> => {
    const created = await fetch(`${base}/v1/process/import/upload`, { method: 'POST', headers })
    const { form } = ((await created.json()) as Task).result
    if (!form) throw new Error('no form')
    return form
  }
  const send = async (form: UploadForm) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(form.parameters)) body.append(name, value)
    body.append('file', new Blob(['text']), 'a.txt')
    return fetch(form.url.replace('https://lathe.test', base), { method: 'POST', body })
  }
  return { createForm, send }
}

const waitFor = (condition: () => boolean | Promise<boolean>) =>
  waitForOne(condition, { withinMs: 20_000, everyMs: 50 })

const uploads = async ({ services }: TestApi) => (await services.metrics.uploads.get()).values[0]?.value ?? 0

function disposeAll(senders: readonly SlowSender[]): void {
  for (const sender of senders) sender[Symbol.dispose]()
}

it('S3: a form accepts one upload at a time, and another one once the first has stalled', async () => {
  await using started = await startListening({ minRate: 4096, rateWindowMs: 8000 })
  const { api, base } = started
  const sender = await newSender(api, base)
  const form = await sender.createForm()
  using first = startSlowSender(base, form, { bytes: 4096, everyMs: 100 })
  await waitFor(async () => (await uploads(api)) === 1)
  const busy = await sender.send(form)
  expect(await busy.json()).toMatchObject({ status: 429, errorCode: 'form_busy' })
  expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(first.isOpen()).toBe(true)

  const other = await sender.createForm()
  using stalled = startSlowSender(base, other, { bytes: 1, everyMs: 60_000 })
  await waitFor(async () => (await uploads(api)) === 2)
  await waitFor(async () => (await sender.send(other)).status === 200)
  await waitFor(() => !stalled.isOpen())
})

it('S3: an owner with the maximum number of uploads waits or is refused, and leaves slots to others', async () => {
  await using started = await startListening({ uploadsAtOnce: 4, uploadsPerOwner: 3, slotWaitMs: 300 })
  const { api, base } = started
  const [hostile, normal] = [await newSender(api, base), await newSender(api, base)]
  const forms = await Promise.all(Array.from({ length: 20 }, () => hostile.createForm()))
  const senders = forms.map((form) => startSlowSender(base, form, { bytes: 1024, everyMs: 100 }))
  try {
    await waitFor(() => senders.filter((one) => one.answer().includes('"rate_limited"')).length === 17)
    expect(await uploads(api)).toBe(3)
    expect((await normal.send(await normal.createForm())).status).toBe(200)
    expect(senders.filter((one) => one.isOpen())).toHaveLength(3)
  } finally {
    disposeAll(senders)
  }
})

it('S3: an upload below the minimum rate, or over its time, is ended with an error', async () => {
  await using slow = await startListening({ minRate: 4096, rateWindowMs: 1000 })
  const sender = await newSender(slow.api, slow.base)
  using dripping = startSlowSender(slow.base, await sender.createForm(), { bytes: 100, everyMs: 100 })
  await waitFor(() => dripping.answer().includes('"upload_too_slow"'))
  expect(dripping.answer()).toMatch(/^HTTP\/1\.1 400 /)
  await waitFor(() => !dripping.isOpen())
  expect(await uploads(slow.api)).toBe(0)

  await using short = await startListening({ uploadMaxMs: 1500 })
  const other = await newSender(short.api, short.base)
  using steady = startSlowSender(short.base, await other.createForm(), { bytes: 50_000, everyMs: 100 })
  await waitFor(() => steady.answer().includes('"upload_too_slow"'))
  await waitFor(() => !steady.isOpen())
  expect(await uploads(short.api)).toBe(0)
})

it('S3: when slow uploads of many owners hold all slots, the slowest is ended', async () => {
  const slotGraceMs = 1500
  await using started = await startListening({ uploadsAtOnce: 3, uploadsPerOwner: 2, slotGraceMs })
  const { api, base } = started
  const rates = [20_000, 2000, 20_000]
  const senders = await Promise.all(
    rates.map(async (bytes) => {
      const owner = await newSender(api, base)
      return startSlowSender(base, await owner.createForm(), { bytes, everyMs: 100 })
    }),
  )
  try {
    await waitFor(async () => (await uploads(api)) === 3)
    // Until then the first of them might be the only one that can be ended.
    await pause(slotGraceMs)
    const normal = await newSender(api, base)
    expect((await normal.send(await normal.createForm())).status).toBe(200)
    expect(senders.map((one) => one.isOpen())).toEqual([true, false, true])
    expect(senders[1]?.answer()).toContain('"upload_too_slow"')
  } finally {
    disposeAll(senders)
  }
})

it('S3: a store that is slow after the whole file has arrived does not count against the client', async () => {
  const rateWindowMs = 200
  const replace: TestApiOptions['replace'] = ({ store }) => ({
    store: {
      ...store,
      async put(...given) {
        const stored = await store.put(...given)
        await pause(10 * rateWindowMs)
        return stored
      },
    },
  })
  await using started = await startListening({ minRate: 4096, rateWindowMs }, { replace })
  const sender = await newSender(started.api, started.base)
  const answer = await sender.send(await sender.createForm())
  expect(await answer.json()).toMatchObject({ status: 'completed' })
})
