import type { Task } from '@lathe/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, fixture, newClient } from '../scenario.ts'
import { formOf } from '../upload.ts'

let api: Client
let stranger: Client

beforeAll(async () => {
  api = await newClient()
  // Whoever has the form needs no key.
  stranger = api.withKey(undefined)
})

const tus = { 'tus-resumable': '1.0.0' }

function start(task: Task, length: number, filename: string) {
  const { tusUrl, parameters } = formOf(task)
  const pairs = Object.entries({ ...parameters, filename })
  const metadata = pairs.map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`).join(',')
  const headers = { ...tus, 'upload-length': String(length), 'upload-metadata': metadata }
  return stranger.send('POST', tusUrl, { headers })
}

function send(url: string, offset: number, raw: Uint8Array) {
  const type = { 'content-type': 'application/offset+octet-stream' }
  return stranger.send('PATCH', url, { raw, headers: { ...tus, ...type, 'upload-offset': String(offset) } })
}

describe('an upload that is resumed', () => {
  it('transfers an image in two parts, which is then converted [D-op-80]', async () => {
    const bytes = fixture('photo-40k.jpg')
    const form = await api.create('import/upload')
    const started = await start(form, bytes.length, 'photo.jpg')
    expect(started.status).toBe(201)
    const url = started.headers.get('location') ?? ''
    const half = bytes.length >> 1
    expect((await send(url, 0, bytes.subarray(0, half))).headers.get('upload-offset')).toBe(String(half))
    const asked = await stranger.send('HEAD', url, { headers: tus })
    expect([asked.status, asked.headers.get('upload-offset')]).toEqual([200, String(half)])
    expect((await send(url, 0, bytes.subarray(half))).status).toBe(409)
    expect((await send(url, half, bytes.subarray(half))).status).toBe(204)
    completed(await api.task(form.id))
    const webp = completed(await api.run('convert', { input: [form.id], output_format: 'webp' }))
    expect(webp.result.files).toMatchObject([{ filename: 'photo.webp' }])
  })

  it('can be terminated; the form still accepts a file', async () => {
    const form = await api.create('import/upload')
    const url = (await start(form, 10, 'a.txt')).headers.get('location') ?? ''
    await send(url, 0, Buffer.from('hello'))
    expect((await stranger.send('DELETE', url, { headers: tus })).status).toBe(204)
    expect((await stranger.send('HEAD', url, { headers: tus })).status).toBe(404)
    const again = (await start(form, 2, 'b.txt')).headers.get('location') ?? ''
    expect((await send(again, 0, Buffer.from('hi'))).status).toBe(204)
    expect(completed(await api.task(form.id)).result.files).toMatchObject([{ filename: 'b.txt', size: 2 }])
  })
})
