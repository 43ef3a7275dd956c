import type { Usage } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { completed, importFixture, newClient } from '../scenario.ts'

describe('usage', () => {
  it('counts how tasks ended by operation, pair and engine, exactly [D-http-72]', async () => {
    const api = await newClient()
    const source = await importFixture(api, 'photo-40k.jpg')
    const made = completed(await api.run('convert', { input: source.id, output_format: 'WEBP' }))
    await api.run('convert', { input: source.id, output_format: 'png' })
    const open = await api.create('import/upload')
    await api.post(`/v1/process/tasks/${open.id}/cancel`)
    const { status, body } = await api.get<Usage>('/v1/account/usage?group_by=operation,pair,engine')
    expect(status).toBe(200)
    const none = { failed: 0, canceled: 0 }
    const bytes = made.result.files?.[0]?.size
    const image = { inputFormat: 'jpg', engine: 'image', completed: 1, ...none }
    expect(body.docs).toMatchObject([
      { operation: 'convert', outputFormat: 'png', ...image },
      { operation: 'convert', outputFormat: 'webp', ...image, bytes },
      { operation: 'import/base64', inputFormat: null, outputFormat: null, engine: null, completed: 1, ...none },
      { operation: 'import/upload', completed: 0, failed: 0, canceled: 1, bytes: 0 },
    ])
    expect(body.total).toMatchObject({ completed: 3, failed: 0, canceled: 1 })
  })
})
