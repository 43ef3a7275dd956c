import { expect, it } from 'vitest'
import { completed, importFixture, newClient } from '../scenario.ts'

it('tasks name who may share their engines, and are refused with a name that is none', async () => {
  const api = await newClient()
  const image = await importFixture(api, 'alpha.png')
  for (const isolation of ['customer-1', 'task']) {
    const body = { input: image.id, output_format: 'webp', isolation }
    expect(completed(await api.run('convert', body)).payload).toMatchObject({ isolation })
  }
  const body = { input: image.id, output_format: 'webp', isolation: 'customer 1' }
  const { status, body: refused } = await api.post('/v1/process/convert', body)
  expect(status).toBe(400)
  expect(JSON.stringify(refused)).toContain('isolation')
})
