import { describe, expect, it } from 'vitest'
import { completed, importFixture, newClient } from '../scenario.ts'

const outOfMinutes = {
  status: 'failed',
  result: { errorCode: 'out_of_conversion_minutes', reason: 'out_of_minutes' },
}

describe('conversion minutes', () => {
  it('that are used up let imports and exports through; a conversion is accepted and fails [S-err-21]', async () => {
    const api = await newClient({ minutes: { aMonth: 0 } })
    const source = await importFixture(api, 'photo-40k.jpg')
    expect(await api.run('convert', { input: source.id, output_format: 'png' })).toMatchObject(outOfMinutes)
    completed(await api.run('export/url', { input: source.id }))
  })

  it('that end while a task runs stop it [D-op-62]', async () => {
    const api = await newClient({ minutes: { aMonth: 1, usedMs: 59_999 } })
    const source = await importFixture(api, 'letter.docx')
    const { endedAt, startedAt, ...task } = await api.run('convert', { input: source.id, output_format: 'pdf' })
    expect(task).toMatchObject(outOfMinutes)
    expect(Date.parse(String(endedAt)) - Date.parse(String(startedAt))).toBeLessThan(10_000)
  })

  it('that are left or unlimited stop no task [D-op-47]', async () => {
    for (const minutes of [{ aMonth: 1 }, undefined]) {
      const api = await newClient(minutes ? { minutes } : {})
      const source = await importFixture(api, 'photo-40k.jpg')
      completed(await api.run('convert', { input: source.id, output_format: 'png' }))
    }
  })
})
