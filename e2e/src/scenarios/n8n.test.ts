import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event, Webhook, WebhookPage } from '@lathe/contract'
import { answersWith, startReceiver, waitFor } from '@lathe/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { createN8nHost, type Item } from '../n8n-host.ts'
import { fixture, newKey, stack } from '../scenario.ts'

type Context = ReturnType<Host['createContext']>
type Host = Awaited<ReturnType<typeof createN8nHost>>
interface Answer {
  readonly workflowData?: readonly (readonly Item[])[]
  readonly noWebhookResponse?: boolean
}
interface ActionNode {
  readonly methods: Readonly<
    Record<'loadOptions' | 'resourceMapping', Record<string, (this: Context) => Promise<unknown>>>
  >
  execute(this: Context): Promise<readonly (readonly Item[])[]>
  webhook(this: Context): Promise<Answer>
}
interface TriggerNode extends ActionNode {
  readonly webhookMethods: {
    readonly default: Record<'checkExists' | 'create' | 'delete', (this: Context) => Promise<boolean>>
  }
}

let folder: string
let host: Host
let api: Client
let action: ActionNode
let trigger: TriggerNode

beforeAll(async () => {
  const { key } = await newKey({ slots: 4 })
  api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
  folder = mkdtempSync(join(tmpdir(), 'lathe-n8n-'))
  host = await createN8nHost(folder, { baseUrl: `${stack.url}/`, apiKey: key })
  const [actionPath = '', triggerPath = ''] = host.about.n8n.nodes
  action = new (host.load(actionPath).Lathe as new () => ActionNode)()
  trigger = new (host.load(triggerPath).LatheTrigger as new () => TriggerNode)()
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const convert = {
  operation: 'convert',
  inputField: 'data',
  inputFormat: 'jpg',
  outputFormat: 'webp',
  options: { mappingMode: 'defineBelow', value: { width: 80, quality: null } },
  wait: 'running',
}

function itemOf(content: Buffer, name: string): Item {
  return { json: {}, binary: { data: host.store(content, name) } }
}

describe('the n8n node', () => {
  it('offers the formats and options that the service has', async () => {
    const context = host.createContext({ parameters: convert })
    const { getInputFormats, getOutputFormats } = action.methods.loadOptions
    expect(await getInputFormats?.call(context)).toContainEqual({ name: 'JPG', value: 'jpg' })
    expect(await getOutputFormats?.call(context)).toContainEqual({ name: 'WEBP', value: 'webp' })
    const { getOptionFields } = action.methods.resourceMapping
    expect(await getOptionFields?.call(context)).toMatchObject({
      fields: expect.arrayContaining([
        expect.objectContaining({ id: 'width', type: 'number' }),
        expect.objectContaining({ id: 'lossless', type: 'boolean' }),
        expect.objectContaining({
          id: 'fit',
          type: 'options',
          options: expect.arrayContaining([expect.objectContaining({ value: 'cover' })]),
        }),
      ]),
    })
    const unknown = host.createContext({ parameters: { ...convert, inputFormat: '' } })
    expect(await getOptionFields?.call(unknown)).toMatchObject({ fields: [], emptyFieldsNotice: expect.any(String) })
  })

  it('converts the files of all items, in parts where they are large', async () => {
    const photo = fixture('photo-100k.jpg')
    const large = Buffer.concat([photo, Buffer.alloc(9_000_000)])
    const items = [itemOf(photo, 'größe.jpg'), itemOf(large, 'large.jpg')]
    const [results = []] = await action.execute.call(host.createContext({ parameters: convert, items }))
    expect(results.map(({ json, pairedItem }) => [json.filename, pairedItem])).toEqual([
      ['größe.webp', { item: 0 }],
      ['large.webp', { item: 1 }],
    ])
    for (const one of results) {
      expect(await sharp(host.contentOf(one)).metadata()).toMatchObject({ format: 'webp', width: 80 })
    }
  })

  it('creates a job once if the response is lost', async () => {
    const { totalDocs } = await api.jobs()
    host.loseAnswer()
    const items = [itemOf(fixture('photo-100k.jpg'), 'a.jpg')]
    const [results = []] = await action.execute.call(host.createContext({ parameters: convert, items }))
    expect(results).toHaveLength(1)
    expect((await api.jobs()).totalDocs).toBe(totalDocs + 1)
  })

  it('merges the files of all items into one', async () => {
    const items = [itemOf(fixture('photo-100k.jpg'), 'a.jpg'), itemOf(fixture('alpha.png'), 'b.png')]
    const additionalFields = { filename: 'all.pdf', outputField: 'pdf' }
    const parameters = { ...convert, operation: 'merge', outputFormat: 'pdf', options: {}, additionalFields }
    const [results = []] = await action.execute.call(host.createContext({ parameters, items }))
    expect(results.map(({ json }) => json.filename)).toEqual(['all.pdf'])
    expect(host.contentOf(results[0], 'pdf').toString('latin1', 0, 5)).toBe('%PDF-')
  })

  it('splits a file into one item each', async () => {
    const items = [itemOf(fixture('two-pages.pdf'), 'a.pdf')]
    const parameters = { ...convert, operation: 'split', inputFormat: '', options: {} }
    const [results = []] = await action.execute.call(host.createContext({ parameters, items }))
    expect(results.map(({ json }) => json.filename)).toEqual(['a-1.pdf', 'a-2.pdf'])
  })

  it('reports which item failed and why, or continues with the others', async () => {
    const items = [itemOf(Buffer.from('not an image'), 'a.jpg'), itemOf(fixture('photo-100k.jpg'), 'b.jpg')]
    const failed = action.execute.call(host.createContext({ parameters: convert, items }))
    await expect(failed).rejects.toMatchObject({ message: expect.stringContaining('declared as jpg'), itemIndex: 0 })
    const [results = []] = await action.execute.call(
      host.createContext({ parameters: convert, items, continueOnFail: true }),
    )
    expect(results.map(({ json }) => json)).toEqual([
      expect.objectContaining({ reason: 'unsupported', error: expect.any(String) }),
      expect.objectContaining({ filename: 'b.webp' }),
    ])
    const invalid = { ...convert, options: { value: { width: -1 } } }
    await expect(action.execute.call(host.createContext({ parameters: invalid, items }))).rejects.toThrow(
      'options.width',
    )
  })

  it('pauses, and continues on a call with a valid signature of the service', async () => {
    await using receiver = await startReceiver(answersWith(204))
    const parameters = { ...convert, wait: 'webhook' }
    const items = [itemOf(fixture('photo-100k.jpg'), 'a.jpg'), itemOf(Buffer.from('not an image'), 'b.jpg')]
    const started = host.createContext({ parameters, items, resumeUrl: `${receiver.url}/resume` })
    await action.execute.call(started)
    expect(started.answered.waits).toEqual(new Date(8.64e15))
    const typeOf = ({ body }: { body: string }) => (JSON.parse(body) as Event).type
    const ended = () => receiver.received.find((one) => typeOf(one) === 'job.failed')
    await waitFor(() => ended() !== undefined, { withinMs: 60_000, what: 'the call that the job has ended' })
    const [first, last] = [receiver.received.find((one) => typeOf(one) === 'task.created'), ended()]
    if (!first || !last) throw new Error('the service did not call')

    const early = await action.webhook.call(host.createContext({ parameters, delivery: first }))
    expect(early.workflowData).toBeUndefined()
    const forged = host.createContext({ parameters, delivery: { ...last, body: `${last.body} ` } })
    expect(await action.webhook.call(forged)).toEqual({ noWebhookResponse: true })
    expect(forged.answered.status).toBe(401)

    const strict = host.createContext({ parameters, delivery: last })
    await expect(action.webhook.call(strict)).rejects.toMatchObject({ itemIndex: 1 })
    const lenient = host.createContext({ parameters, delivery: last, continueOnFail: true })
    const { workflowData: [results = []] = [] } = await action.webhook.call(lenient)
    expect(lenient.answered.status).toBe(200)
    expect(results.map(({ json }) => json)).toEqual([
      expect.objectContaining({ filename: 'a.webp' }),
      expect.objectContaining({ reason: 'unsupported' }),
    ])
    expect((await sharp(host.contentOf(results[0])).metadata()).format).toBe('webp')
  })
})

describe('the n8n trigger', () => {
  it('creates its webhook, starts on signed events only, and deletes it', async () => {
    await using receiver = await startReceiver(answersWith(204))
    const staticData = {}
    const parameters = { events: ['job.completed'] }
    const context = host.createContext({ parameters, staticData, webhookUrl: receiver.url })
    const { getEvents } = trigger.methods.loadOptions
    expect(await getEvents?.call(context)).toContainEqual({ name: 'Job Completed', value: 'job.completed' })

    const { checkExists, create, delete: remove } = trigger.webhookMethods.default
    expect(await checkExists.call(context)).toBe(false)
    expect(await create.call(context)).toBe(true)
    expect(await checkExists.call(context)).toBe(true)
    const other = host.createContext({ parameters: { events: ['job.failed'] }, staticData, webhookUrl: receiver.url })
    expect(await checkExists.call(other)).toBe(false)

    const items = [itemOf(fixture('photo-100k.jpg'), 'a.jpg')]
    await action.execute.call(host.createContext({ parameters: convert, items }))
    await waitFor(() => receiver.received.length > 0, { withinMs: 60_000, what: 'the event of the job' })
    const [delivery] = receiver.received
    if (!delivery) throw new Error('nothing was received')
    const { workflowData } = await trigger.webhook.call(host.createContext({ parameters, staticData, delivery }))
    expect(workflowData).toMatchObject([[{ json: { type: 'job.completed', data: { job: { status: 'completed' } } } }]])
    const forged = host.createContext({ parameters, staticData, delivery: { ...delivery, headers: {} } })
    expect(await trigger.webhook.call(forged)).toEqual({ noWebhookResponse: true })
    expect(forged.answered.status).toBe(401)

    const hooks = async () => (await api.get<WebhookPage>('/v1/webhooks')).body.docs.filter((one: Webhook) => one.url)
    expect(await hooks()).toHaveLength(1)
    expect(await remove.call(context)).toBe(true)
    expect(await hooks()).toHaveLength(0)
    expect(staticData).toEqual({})
    expect(await remove.call(context)).toBe(true)
  })
})
