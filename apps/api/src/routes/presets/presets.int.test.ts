import type { ErrorBody, Job, Page, Preset } from '@lathe/contract'
import { bytes } from '@lathe/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { completeUpload, newUser, type User } from '../../testing/new-user.ts'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
let key: Awaited<ReturnType<TestApi['createKey']>>
let user: User
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(async () => {
  key = await api.createKey()
  user = await newUser({ ...api, createKey: async () => key })
})

const small = { name: 'small', operation: 'convert', output_format: 'webp', options: { quality: 60, width: 800 } }
const create = async (more: object = {}) => (await user.post<Preset>('/v1/presets', { ...small, ...more })).body

describe('a preset', () => {
  it('is made, listed, shown, changed and deleted [D-op-67]', async () => {
    const made = await user.post<Preset>('/v1/presets', small)
    expect(made).toMatchObject({ status: 201, body: { ...small, personal: false, user: key.userId } })
    const path = `/v1/presets/${made.body.id}`
    expect((await user.get<Preset>(path)).body).toEqual(made.body)
    const other = await create({ name: 'other' })
    const list = await user.get<Page<Preset>>('/v1/presets?per_page=1')
    expect(list.body).toMatchObject({ docs: [{ id: other.id }], totalDocs: 2, hasNextPage: true })
    const changed = await user.patch<Preset>(path, { name: 'smaller', options: { width: 100 } })
    expect(changed.body).toMatchObject({ name: 'smaller', output_format: 'webp', options: { width: 100 } })
    expect((await user.patch<ErrorBody>(path, { output_format: 'nonsense' })).status).toBe(400)
    expect((await user.remove(path)).status).toBe(200)
    expect((await user.get(path)).status).toBe(404)
    expect((await user.patch(path, { name: 'x' })).status).toBe(404)
    expect((await user.remove(path)).status).toBe(404)
  })

  it('is used by a task and by tasks of a job, whose payloads have its values [D-op-68]', async () => {
    const { id: preset } = await create()
    const source = await user.upload()
    await completeUpload(api, source)
    const task = await user.post('/v1/process/convert', { input: source.id, preset, options: { quality: 90 } })
    const payload = { output_format: 'webp', options: { quality: 90, width: 800 } }
    expect(task).toMatchObject({ status: 201, body: { payload } })
    await user.remove(`/v1/presets/${preset}`)
    expect((await user.get(`/v1/process/tasks/${task.body.id}`)).body.payload).toEqual(payload)
    const refused = await user.post<ErrorBody>('/v1/process/convert', { input: source.id, preset })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'preset', code: 'not_found' }] } })

    const { id: again } = await create()
    const tasks = {
      photo: { operation: 'import/upload' },
      a: { operation: 'convert', input: 'photo', preset: again },
      b: { operation: 'convert', input: 'photo', preset: again, output_format: 'jpg' },
    }
    const job = await user.post<Job>('/v1/process/jobs', { tasks })
    expect(job.body.tasks?.map((one) => one.payload.output_format)).toEqual([undefined, 'webp', 'jpg'])
  })

  it('of somebody else is not found, and cannot be used [D-op-69]', async () => {
    const { id: preset } = await create()
    const other = await newUser(api)
    expect((await other.get(`/v1/presets/${preset}`)).status).toBe(404)
    expect((await other.patch(`/v1/presets/${preset}`, { name: 'mine' })).status).toBe(404)
    expect((await other.remove(`/v1/presets/${preset}`)).status).toBe(404)
    expect((await other.get<Page<Preset>>('/v1/presets')).body.docs).toEqual([])
    const tasks = { a: { operation: 'import/upload' }, b: { operation: 'convert', input: 'a', preset } }
    const refused = await other.post<ErrorBody>('/v1/process/jobs', { tasks })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'tasks.b.preset', code: 'not_found' }] } })
  })

  it('that is personal is seen by its user alone [D-op-69]', async () => {
    const [own, shared] = [await create({ personal: true }), await create()]
    // Another user of the same account.
    await api.services.database.pool.query(`update presets set user_id = $2 where id = any($1)`, [
      [bytes(own.id), bytes(shared.id)],
      bytes('f'.repeat(24)),
    ])
    expect((await user.get<Page<Preset>>('/v1/presets')).body.docs.map(({ id }) => id)).toEqual([shared.id])
    expect((await user.get(`/v1/presets/${own.id}`)).status).toBe(404)
    const source = await user.upload()
    const refused = await user.post<ErrorBody>('/v1/process/convert', { input: source.id, preset: own.id })
    expect(refused.body.errors?.[0]?.path).toBe('preset')
  })

  it('is made once by a repeated request, and refused beyond two hundred', async () => {
    const again = { 'idempotency-key': 'a-preset' }
    const [first, second] = await Promise.all([1, 2].map(() => user.post<Preset>('/v1/presets', small, again)))
    expect(first?.body.id).toBe(second?.body.id)
    await api.services.database.pool.query(
      `insert into presets select decode(lpad(to_hex(n), 24, '0'), 'hex'), owner_id, user_id, name, operation,
              output_format, options, personal, created_at, updated_at
         from presets, generate_series(1, 199) n where id = $1`,
      [bytes(first?.body.id ?? '')],
    )
    expect(await user.post<ErrorBody>('/v1/presets', small)).toMatchObject({ status: 400 })
  })
})
