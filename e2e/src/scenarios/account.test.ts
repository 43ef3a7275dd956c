import type { Account, ApiKey, ApiKeyList, ApiKeyWithText, AuditPage } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { completed, importFixture, newClient } from '../scenario.ts'

const scopes = ['task.read', 'task.write', 'account.read', 'account.write'] as const
const root = '/v1/account/keys'

it('an account shows what it has used, and its keys are made, renamed and revoked', async () => {
  const api = await newClient({ scopes: [...scopes] })
  const photo = await importFixture(api, 'photo-40k.jpg')
  completed(await api.run('convert', { input: photo.id, output_format: 'webp' }))
  const { usage, plan, limits } = (await api.get<Account>('/v1/account')).body
  expect(usage).toMatchObject({ openTasks: 0, runningTasks: 0, waitingTasks: 0, minutesLeft: null })
  expect(usage.storedBytes).toBeGreaterThan(40_000)
  expect(plan.slots).toBe(8)
  expect(limits.fileBytes).toBeGreaterThan(0)

  const { body: made } = await api.post<ApiKeyWithText>(root, { name: 'reader', scopes: ['task.read'] })
  const reader = api.withKey(made.key ?? '')
  expect((await reader.task(photo.id)).id).toBe(photo.id)
  expect((await reader.refused('POST', '/v1/process/import/upload')).errorCode).toBe('forbidden')

  const renamed = await api.send<ApiKey>('PATCH', `${root}/${made.id}`, { json: { name: 'for the report' } })
  expect(renamed).toMatchObject({ status: 200, body: { name: 'for the report' } })
  expect((await api.get<ApiKeyList>(root)).body.keys.map(({ name }) => name)).toContain('for the report')

  await api.remove(`${root}/${made.id}?keep_links=true`)
  const { body: log } = await api.get<AuditPage>('/v1/audit?per_page=3')
  expect(log.docs.map(({ action }) => action)).toEqual(['key.revoked', 'key.changed', 'key.created'])
  expect(log.docs.every(({ via, subjectId }) => via === 'key' && subjectId === made.id)).toBe(true)

  const isDead = async () => (await reader.get('/v1/process/tasks')).status === 401
  await waitFor(isDead, { withinMs: 10_000, everyMs: 200, what: 'the end of the revoked key' })
})
