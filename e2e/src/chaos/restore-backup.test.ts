import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Task, WebhookWithSecret } from '@lathe/contract'
import {
  answersWith,
  type Receiver,
  type Stack,
  startPostgres,
  startReceiver,
  startStack,
  waitFor,
} from '@lathe/testing'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { createClient } from './support/client.ts'
import { noisePicture } from './support/noise-picture.ts'

const admin = new URL('../../../scripts/admin.ts', import.meta.url).pathname

/** What an operator types, on the database given. */
async function runAdmin({ secret }: Stack, databaseUrl: string, ...words: string[]): Promise<unknown> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl, LATHE_SECRET: secret }
  const { stdout } = await promisify(execFile)(process.execPath, [admin, ...words, '--json'], { env })
  return JSON.parse(stdout)
}

const isDelivered = ({ received }: Receiver, id: string) =>
  received.find(({ body }) => {
    const { type, data } = JSON.parse(body)
    return type.startsWith('task.completed') && data.task?.id === id
  })

it('continues from a backup in a new cluster with an empty Redis: keys, plans, webhooks, links, waiting tasks', async () => {
  await using parts = new AsyncDisposableStack()
  const folder = parts.adopt(await mkdtemp('/var/tmp/lathe-restore-'), (made) => rm(made, { recursive: true }))
  // PostgreSQL runs as a user of its own.
  await chmod(folder, 0o755)
  const receiver = parts.use(await startReceiver(answersWith(204)))
  const stack = parts.use(await startStack({ workers: 0, storage: 'disk' }))
  const { key, userId } = await stack.createKey({ slots: 3, minutes: { aMonth: 600, usedMs: 60_000 } })
  const before = createClient(stack.url, key)
  const { body: webhook } = await before.post<WebhookWithSecret>('/v1/webhooks', { url: receiver.url })
  const picture = noisePicture(48, 48)
  const [kept, lost] = [await before.upload(picture, 'kept.png'), await before.upload(picture, 'lost.png')]
  const toWebp = (input: Task) => before.create('convert', { input: input.id, output_format: 'webp' })
  const [waiting, doomed] = [await toWebp(kept), await toWebp(lost)]

  const into = join(folder, 'backup')
  expect(await runAdmin(stack, stack.databaseUrl, 'backup', '--into', into)).toMatchObject({ counts: { tasks: 4 } })
  const tooLate = await before.upload(picture, 'after the backup.png')
  await Promise.all(stack.processes.map((process) => process.stop('SIGTERM')))
  await stack.redis.command('flushall')
  // A restore of the files that were stored: one of them is missing.
  await rm(join(stack.storageEnv.STORAGE_DIR ?? '', await keyOf(stack, lost)))
  const { url: DATABASE_URL } = parts.use(await startPostgres(folder))
  await runAdmin(stack, DATABASE_URL, 'restore', '--from', into)

  const env = { DATABASE_URL }
  const [api] = await Promise.all([stack.addApi({ env }), stack.addWorker({ env }), stack.addScheduler({ env })])
  // Before the cluster is stopped.
  parts.defer(async () => void (await Promise.all(stack.processes.map((process) => process.stop()))))
  const after = createClient(api?.url ?? '', key)
  const linkOf = ({ result }: Task) => (result.url ?? '').replace(stack.url, api?.url ?? '')
  const ended = (id: string) =>
    waitFor(async () => /completed|failed/.test((await after.task(id)).status) && after.task(id), {
      withinMs: 60_000,
      what: `the end of ${id}\n${stack.tails()}`,
    })

  expect(await ended(waiting.id)).toMatchObject({ status: 'completed' })
  expect(await after.download(linkOf(kept))).toEqual(picture)
  expect(await runAdmin(stack, DATABASE_URL, 'set-plan', '--user', userId)).toMatchObject({
    slots: 3,
    minutesPerMonth: 600,
    usedMs: expect.any(Number),
  })
  const reported = await waitFor(() => isDelivered(receiver, waiting.id), { withinMs: 30_000, what: 'the webhook' })
  new Verifier(webhook.secret).verify(reported.body, reported.headers as Record<string, string>)

  expect(await ended(doomed.id)).toMatchObject({ status: 'failed', result: { reason: 'input_expired' } })
  expect((await fetch(linkOf(lost))).status).toBe(404)
  expect((await fetch(linkOf(tooLate))).status).toBe(404)
})

async function keyOf({ database }: Stack, { id }: Task): Promise<string> {
  const { rows } = await database.pool.query<{ key: string }>('select key from files where task_id = $1', [
    Buffer.from(id, 'hex'),
  ])
  return rows[0]?.key ?? ''
}
