import {
  bytes,
  findJobWebhook,
  findTotp,
  findWebhook,
  insertJobWebhook,
  insertLogin,
  insertTotp,
  insertWebhook,
} from '@lathe/database'
import { failure, type ObjectId } from '@lathe/domain'
import { createSealer, deriveKeys, SealingKeyMissing } from '@lathe/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkshop, firstAttempt, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await createWorkshop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const oldSealer = createSealer(deriveKeys(['the old secret, at least 32 characters'], 'credentials'))
const newSealer = createSealer(
  deriveKeys(['the new secret, at least 32 characters', 'the old secret, at least 32 characters'], 'credentials'),
)
const bareSealer = createSealer(deriveKeys(['the new secret, at least 32 characters'], 'credentials'))

async function createSealed(text = 'hush'): Promise<ObjectId> {
  const task = shop.newTask('import/objstore_a')
  await shop.orchestrator.createTask(await shop.addOwner(), { ...task, sealed: oldSealer.seal(text, task.id) })
  return task.id
}

async function sealOf(id: ObjectId): Promise<string | null> {
  const { rows } = await shop.database.pool.query('select sealed from tasks where id = $1', [bytes(id)])
  return rows[0]?.sealed ?? null
}

describe('F02 the credentials of a task', () => {
  it.each(['completed', 'failed', 'canceled', 'deleted'])('are erased as soon as it is %s', async (end) => {
    const caller = await shop.addOwner()
    const task = shop.newTask('import/objstore_a')
    await shop.orchestrator.createTask(caller, { ...task, sealed: oldSealer.seal('hush', task.id) })
    const fence = { taskId: task.id, attempt: 1, workerId: await shop.addWorker() }
    await shop.desk.claim(fence)
    expect(await sealOf(task.id)).not.toBeNull()
    if (end === 'completed') await shop.desk.complete(fence, { files: [someFile], warnings: [] })
    if (end === 'failed') await shop.desk.fail(firstAttempt(fence), failure('source_unauthorized'))
    if (end === 'canceled') await shop.orchestrator.cancelTask(caller, task.id)
    if (end === 'deleted') await shop.orchestrator.deleteTask(caller, task.id)
    expect(await sealOf(task.id)).toBeNull()
  })
})

describe('F03 another key', () => {
  it('reseals waiting tasks, so that the old key can be removed', async () => {
    const id = await createSealed()
    expect(() => bareSealer.open(String(oldSealer.seal('hush', id)), id)).toThrow(SealingKeyMissing)
    expect(await shop.caretaker.resealSecrets(newSealer)).toBeGreaterThan(0)
    expect(bareSealer.open((await sealOf(id)) ?? '', id)).toBe('hush')
    expect(await shop.caretaker.resealSecrets(newSealer)).toBe(0)
  })

  it('reseals webhooks and webhook URLs of jobs [D-event-52]', async () => {
    const { ownerId } = await shop.addOwner()
    const [id, jobId] = [shop.ids.next(), shop.ids.next()]
    const now = shop.clock.now()
    const rest = { events: [], description: null, enabled: true, disabledReason: null, createdAt: now, updatedAt: now }
    await insertWebhook(shop.database.pool, { ...rest, id, ownerId, kind: 'own', sealed: oldSealer.seal('hush', id) })
    await insertJobWebhook(shop.database.pool, { jobId, ownerId, sealed: oldSealer.seal('sh', jobId) })
    expect(await shop.caretaker.resealSecrets(newSealer)).toBe(2)
    const webhook = await findWebhook(shop.database.pool, { ownerId, id })
    expect(bareSealer.open(webhook?.sealed ?? '', id)).toBe('hush')
    expect(bareSealer.open((await findJobWebhook(shop.database.pool, jobId))?.sealed ?? '', jobId)).toBe('sh')
  })

  it('reseals secrets of second factors', async () => {
    const { userId } = await shop.addOwner()
    const db = shop.database.pool
    await insertLogin(db, { userId, email: 'ada@x.example', emailProof: 'nobody', passwordHash: null, isAdmin: false })
    await insertTotp(db, { userId, sealed: oldSealer.seal('hush', userId) })
    expect(await shop.caretaker.resealSecrets(newSealer)).toBe(1)
    expect(bareSealer.open((await findTotp(db, userId))?.sealed ?? '', userId)).toBe('hush')
  })

  it('leaves secrets without a key unchanged: nothing is lost', async () => {
    const id = await createSealed()
    expect(await shop.caretaker.resealSecrets(bareSealer)).toBe(0)
    expect(oldSealer.open((await sealOf(id)) ?? '', id)).toBe('hush')
  })
})
