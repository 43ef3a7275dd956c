import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Task, WebhookWithSecret } from '@lathe/contract'
import { answersWith, type Stack, startReceiver, startStack, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { type FileServer, startFileServer } from '../file-server.ts'
import { createMint, faulty, type SecretRequest, secretRequests } from './support/secret-requests.ts'
import { sweepStack, watchProcesses } from './support/secret-sweep.ts'

const own = new AsyncDisposableStack()
const mint = createMint()
const answers: string[] = []
let stack: Stack
let key: string
let api: Client
let requests: readonly SecretRequest[]
let requestsOfJob: readonly SecretRequest[]

beforeAll(async () => {
  // A PostgreSQL and a disk of its own: all that is written lies in one folder.
  stack = own.use(await startStack({ privatePostgres: true, storage: 'disk', appEnv: { api: { LOG_LEVEL: 'debug' } } }))
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-secrets-')), (made) => rm(made, { recursive: true }))
  key = (await stack.createKey({ slots: 8 })).key
  api = createClient({ url: stack.url, key, recordFile: join(folder, 'exercised') })
  const guarded: FileServer = own.use(
    await startFileServer({
      '/file.txt': (request, response) => {
        if (request.headers.authorization === undefined) response.writeHead(401).end()
        else response.end('text')
      },
      '/no.txt': (_request, response) => void response.writeHead(401).end(),
    }),
  )
  const document = await api.importBytes(Buffer.from('Dear reader'), 'letter.txt')
  const pdf = await api.run('convert', { input: document.id, output_format: 'pdf' })
  expect(pdf.status).toBe('completed')
  const places = { closedPort: await closedPort(), guarded: guarded.url, pdf: pdf.id, document: document.id }
  requests = secretRequests(mint, places)
  requestsOfJob = secretRequests(mint, places)
})
afterAll(() => own.disposeAsync())

/** A port on which nobody listens: a server had it, and is gone. */
async function closedPort(): Promise<number> {
  await using server = await startFileServer({})
  return Number(new URL(server.url).port)
}

async function post({ operation, body }: SecretRequest, headers = {}): Promise<string | undefined> {
  const answer = await api.post<Task>(`/v1/process/${operation}`, body, headers)
  answers.push(answer.bytes.toString())
  return answer.status === 201 ? answer.body.id : undefined
}

async function read(path: string): Promise<void> {
  answers.push((await api.get(path)).bytes.toString())
}

describe('F01 secrets', () => {
  it('are in no place where they could be read again, after 40 of them were used, refused, canceled and deleted', async () => {
    await using watch = watchProcesses(mint.tokens)
    for (const request of requests.flatMap(faulty)) expect(await post(request), request.name).toBeUndefined()
    const postAll = () => Promise.all(requests.map((request, i) => post(request, { 'idempotency-key': `key-${i}` })))
    const alone = await postAll()
    const again = await postAll()
    expect(again).toEqual(alone)
    const job = await api.createJob(
      Object.fromEntries(
        requestsOfJob
          .filter((_, i) => alone[i] !== undefined)
          .map(({ operation, body }, i) => [`task-${i}`, { operation, ...body }]),
      ),
    )
    answers.push(JSON.stringify(job))
    const ids = [...alone.filter((id) => id !== undefined), ...(job.tasks ?? []).map(({ id }) => id)]
    await api.post(`/v1/process/tasks/${ids.at(0)}/cancel`)
    await api.send('DELETE', `/v1/process/tasks/${ids.at(1)}`)
    for (const id of ids.slice(2)) await read(`/v1/process/tasks/${id}?include=payload,job`)
    await waitFor(async () => (await openTasks()) === 0, { withinMs: 240_000, everyMs: 250 })
    for (const path of ['tasks?per_page=200', 'jobs?include=tasks', `jobs/${job.id}`]) await read(`/v1/process/${path}`)

    expect(mint.tokens.length).toBeGreaterThanOrEqual(40)
    const inAnswers = mint.tokens.filter((token) => answers.some((answer) => answer.includes(token)))
    expect(inAnswers).toEqual([])
    expect([...watch.findings]).toEqual([])
    expect([...(await sweepStack(stack, mint.tokens))]).toEqual([])
  })

  it('of webhooks, and the key of the api, are in no such place either', async () => {
    await using receiver = await startReceiver(answersWith(204))
    const [ofWebhook, ofJob] = [mint.next(), mint.next()]
    const withPassword = (password: string) => receiver.url.replace('http://', `http://somebody:${password}@`)
    const webhook = await api.post<WebhookWithSecret>('/v1/webhooks', { url: withPassword(ofWebhook) })
    const { id, secret } = webhook.body
    const tasks = { text: { operation: 'import/base64', file: 'data:text/plain;base64,aGVsbG8=', filename: 'a.txt' } }
    const job = await api.post('/v1/process/jobs', { tasks, webhook_url: withPassword(ofJob) })
    answers.push(job.bytes.toString(), webhook.bytes.toString())
    const passwords = () => new Set(receiver.received.map(({ headers }) => headers.authorization))
    await waitFor(() => passwords().size === 2, { withinMs: 60_000, what: 'both addresses to be told' })
    for (const path of ['', `/${id}`, `/${id}/deliveries`]) await read(`/v1/webhooks${path}`)

    expect(answers.filter((answer) => answer.includes(ofWebhook) || answer.includes(ofJob))).toEqual([])
    const hidden = [ofWebhook, ofJob, secret.slice('whsec_'.length), key]
    expect([...(await sweepStack(stack, hidden))]).toEqual([])
  })

  it('would be found: the sweep sees what is no secret', async () => {
    const found = [...(await sweepStack(stack, ['somebody']))].join('\n')
    for (const place of ['table tasks', '/postgres/data/base/', '/postgres/data/pg_wal/'])
      expect(found).toContain(place)
  })

  it('F02 are gone from the record once their tasks have ended', async () => {
    const { rows } = await stack.database.pool.query('select count(*)::int as n from tasks where sealed is not null')
    expect(rows[0].n).toBe(0)
  })
})

async function openTasks(): Promise<number> {
  const sql = `select count(*)::int as n from tasks where status in ('created', 'processing')`
  return (await stack.database.pool.query(sql)).rows[0].n
}
