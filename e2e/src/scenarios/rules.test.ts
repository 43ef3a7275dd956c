import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, dataBody, importFixture, newClient, outputOf } from '../scenario.ts'

const hours = (count: number) => count * 3_600_000

let api: Client
beforeAll(async () => {
  api = await newClient()
})

describe('exports', () => {
  it('keep their files four hours from their own creation, not from that of their input [S-gen-09, S-lim-05, D-state-31]', async () => {
    const photo = await importFixture(api, 'photo-40k.jpg')
    const link = completed(await api.run('export/url', { input: [photo.id] }))
    const [copied] = link.result.files ?? []
    const [original] = photo.result.files ?? []
    expect(Date.parse(copied?.expiresAt ?? '') - Date.parse(link.createdAt)).toBe(hours(4))
    expect(Date.parse(copied?.expiresAt ?? '')).toBeGreaterThan(Date.parse(original?.expiresAt ?? ''))
    expect(copied?.sha256).toBe(original?.sha256)
  })
})

describe('a merge', () => {
  it('uses the requested name of its output [S-proc-09]', async () => {
    const photo = await importFixture(api, 'photo-40k.jpg')
    const other = await importFixture(api, 'alpha.png')
    const body = { input: [photo.id, other.id], output_format: 'gif', filename: 'album.gif' }
    const merged = completed(await api.run('merge', body))
    expect(merged.result.files?.map(({ filename }) => filename)).toEqual(['album.gif'])
    expect(await sharp(await outputOf(api, merged)).metadata()).toMatchObject({ format: 'gif', pages: 2 })
  })

  it('of anything but images and PDFs fails [S-proc-11]', async () => {
    const photo = await importFixture(api, 'photo-40k.jpg')
    const text = completed(await api.run('import/base64', dataBody(Buffer.from('a,b\n1,2\n'), 'table.csv')))
    const merged = await api.run('merge', { input: [photo.id, text.id], output_format: 'pdf' })
    expect(merged).toMatchObject({
      status: 'failed',
      result: { errorCode: 'processing_failed', reason: 'unsupported' },
    })
  })
})
