import type { ErrorBody, FormatList } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, newPerson, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

let api: TestApi
let admin: Person
let key: string
beforeAll(async () => {
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts' } })
  admin = await newPerson(api, 'Admin', { isAdmin: true })
  const { body } = await admin.call('POST', '/v1/account/keys', { name: 'ci', scopes: ['task.write', 'task.read'] })
  key = (body as { key: string }).key
})
afterAll(() => api[Symbol.asyncDispose]())

const within = { withinMs: 5000 }
const disable = (rule: object) =>
  admin.browser.change<{ id: string } & ErrorBody>('POST', '/auth/admin/disabled-formats', rule)
const outputsOf = async (input: string) => {
  const { body } = await ask(api, key, 'GET', `/v1/query/formats/convert?input_format=${input}`)
  return (body as FormatList).formats.map(({ ext }) => ext)
}
const base64 = { operation: 'import/base64', file: 'data:image/png;base64,eA==', filename: 'x.png' }
const toGif = { tasks: { file: base64, small: { operation: 'convert', input: 'file', output_format: 'gif' } } }
const createJob = (headers?: Record<string, string>) =>
  ask(api, key, 'POST', '/v1/process/jobs', toGif, headers) as Promise<{ status: number; body: ErrorBody }>

describe('a format that an administrator switches off', () => {
  it('is not listed and refused with the reason within 5 seconds, and comes back when it is switched on', async () => {
    expect(await outputsOf('png')).toContain('gif')
    const first = await createJob({ 'idempotency-key': 'made-before' })
    expect(first.status).toBe(201)
    const { status, body } = await disable({ output: 'gif', reason: 'too large' })
    expect(status).toBe(201)
    await waitFor(async () => !(await outputsOf('png')).includes('gif'), within)

    const refused = await createJob()
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([
      {
        path: 'tasks.small.output_format',
        code: 'unsupported',
        msg: 'gif as an output format was switched off by the administrators of this service. Their reason: too large. Choose another format, or ask them to switch it on.',
      },
    ])
    const options = await ask(api, key, 'GET', '/v1/query/options/convert?input_format=png&output_format=gif')
    expect([options.status, (options.body as ErrorBody).errors?.[0]?.path]).toEqual([400, 'output_format'])
    // A request that was accepted before gets the same answer.
    expect((await createJob({ 'idempotency-key': 'made-before' })).status).toBe(201)

    expect((await admin.browser.change('DELETE', `/auth/admin/disabled-formats/${body.id}`)).status).toBe(204)
    expect((await admin.browser.change('DELETE', `/auth/admin/disabled-formats/${body.id}`)).status).toBe(404)
    await waitFor(async () => (await outputsOf('png')).includes('gif'), within)
    expect((await createJob()).status).toBe(201)
  })

  it('is shown to administrators with who did it, and in the audit log', async () => {
    const { body } = await disable({ input: 'pdf', output: 'docx' })
    const again = await disable({ input: 'pdf', output: 'docx', reason: 'other' })
    expect([again.status, again.body.errors?.[0]?.code]).toEqual([400, 'conflict'])
    const seen = await admin.browser.get<{ disabledFormats: object[] }>('/auth/admin/instance')
    expect(seen.body.disabledFormats).toMatchObject([
      { id: body.id, input: 'pdf', output: 'docx', reason: null, disabledBy: expect.stringMatching(/^Admin/) },
    ])
    await admin.browser.change('DELETE', `/auth/admin/disabled-formats/${body.id}`)
    const log = await admin.call('GET', '/v1/audit')
    expect((log.body as { docs: object[] }).docs.slice(0, 2)).toMatchObject([
      { action: 'format.enabled', detail: { input: 'pdf', output: 'docx' } },
      { action: 'format.disabled', detail: { input: 'pdf', output: 'docx', reason: null } },
    ])
  })
})
