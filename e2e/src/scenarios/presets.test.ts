import type { Page, Preset } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { completed, importFixture, importTask, newClient } from '../scenario.ts'

describe('a preset', () => {
  it('is used by a task and by a task of a job [D-op-68]', async () => {
    const api = await newClient()
    const settings = { name: 'small', operation: 'convert', output_format: 'webp', options: { width: 100 } }
    const made = await api.post<Preset>('/v1/presets', settings)
    expect(made.status).toBe(201)
    const { id: preset } = made.body
    const source = await importFixture(api, 'photo-40k.jpg')
    const task = completed(await api.run('convert', { input: source.id, preset }))
    expect(task.result.files?.[0]?.filename).toBe('photo-40k.webp')
    const job = await api.runJob({
      photo: importTask('photo-40k.jpg'),
      small: { operation: 'convert', input: 'photo', preset, output_format: 'png' },
    })
    expect(job.tasks?.[1]).toMatchObject({
      status: 'completed',
      payload: { output_format: 'png', options: { width: 100 } },
    })
  })

  it('is listed, shown, changed and deleted', async () => {
    const api = await newClient()
    const settings = { name: 'small', operation: 'compress', personal: true }
    const { id } = (await api.post<Preset>('/v1/presets', settings)).body
    expect((await api.get<Page<Preset>>('/v1/presets')).body.docs).toMatchObject([{ id, personal: true }])
    const changed = await api.send<Preset>('PATCH', `/v1/presets/${id}`, { json: { name: 'smaller' } })
    expect(changed.body.name).toBe('smaller')
    expect((await api.get<Preset>(`/v1/presets/${id}`)).body.name).toBe('smaller')
    await api.remove(`/v1/presets/${id}`)
    expect((await api.refused('GET', `/v1/presets/${id}`)).status).toBe(404)
  })
})
