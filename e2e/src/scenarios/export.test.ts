import type { Task } from '@lathe/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { openZip } from '../outputs.ts'
import { completed, fixture, importFixture, newClient, outputOf } from '../scenario.ts'

let api: Client
let anyone: Client
let photo: Task
let alpha: Task
const bytes = fixture('photo-40k.jpg')

beforeAll(async () => {
  api = await newClient()
  anyone = api.withKey(undefined)
  photo = await importFixture(api, 'photo-40k.jpg')
  alpha = await importFixture(api, 'alpha.png')
})

async function exported(body: object): Promise<{ task: Task; url: string }> {
  const task = completed(await api.run('export/url', body))
  return { task, url: task.result.url ?? '' }
}

async function range(url: string, value: string, more: Record<string, string> = {}) {
  const { status, headers, bytes: part } = await anyone.get(url, { range: value, ...more })
  return { status, contentRange: headers.get('content-range'), length: headers.get('content-length'), part }
}

describe('export/url', () => {
  it('returns 201 and creates a link that needs no API key', async () => {
    const { status, body } = await api.post<Task>('/v1/process/export/url', { input: [photo.id] })
    expect(status).toBe(201)
    expect(await outputOf(api, await api.endedTask(body.id))).toEqual(bytes)
  })

  it('accepts one input as a string too', async () => {
    const { task } = await exported({ input: photo.id })
    expect(task.result.files).toHaveLength(1)
  })

  it('names the file after the input by default [S-exp-03]', async () => {
    expect((await exported({ input: [photo.id] })).task.result.files?.[0]?.filename).toBe('photo-40k.jpg')
    const { task } = await exported({ input: [photo.id], filename: 'for you.jpg' })
    expect(task.result.files?.[0]?.filename).toBe('for you.jpg')
  })

  it('exports several files individually, a link each, and its own link is a ZIP of them (C11) [S-exp-04, S-exp-05, D-op-31]', async () => {
    const { task, url } = await exported({ input: [photo.id, alpha.id] })
    const each = await Promise.all((task.result.files ?? []).map((file) => api.download(file.url)))
    expect(each).toEqual([bytes, fixture('alpha.png')])
    const zip = await openZip(await api.download(url))
    expect(zip).toEqual(
      new Map([
        ['photo-40k.jpg', bytes],
        ['alpha.png', fixture('alpha.png')],
      ]),
    )
  })

  it('archives all files in one ZIP when asked, even one file [S-exp-04, S-exp-05, D-op-31]', async () => {
    const { url } = await exported({ input: [photo.id], archive_multiple_files: true, filename: 'album' })
    const { headers, bytes: zip } = await anyone.get(url)
    expect(headers.get('content-disposition')).toContain('album.zip')
    expect(await openZip(zip)).toEqual(new Map([['photo-40k.jpg', bytes]]))
  })

  it('gives files of the same name unique names in a ZIP', async () => {
    const twin = await importFixture(api, 'photo-100k.jpg', 'photo-40k.jpg')
    const { url } = await exported({ input: [photo.id, twin.id], archive_multiple_files: true })
    const zip = await openZip(await api.download(url))
    expect([...zip.values()].map((file) => file.length).sort()).toEqual(
      [bytes.length, fixture('photo-100k.jpg').length].sort(),
    )
  })

  it('keeps the tree of folders in the ZIP, and leaves names and links of single files as they are [D-op-84]', async () => {
    const input = [photo.id, alpha.id, photo.id]
    const { task, url } = await exported({ input, folders: ['album/day 1', 'album/..day 2', 'album/day 1'] })
    expect([...(await openZip(await api.download(url))).keys()]).toEqual([
      'album/day 1/photo-40k.jpg',
      'album/..day 2/alpha.png',
      'album/day 1/photo-40k-1.jpg',
    ])
    expect(task.result.files?.map(({ filename }) => filename)).toEqual(['photo-40k.jpg', 'alpha.png', 'photo-40k.jpg'])
    const refused = await api.refused('POST', '/v1/process/export/url', { json: { input, folders: ['..', '', ''] } })
    expect(refused.errors?.[0]?.path).toBe('folders')
  })

  it('numbers several files that were given one name', async () => {
    const { task } = await exported({ input: [photo.id, alpha.id], filename: 'trip.jpg' })
    expect(task.result.files?.map(({ filename }) => filename)).toEqual(['trip-1.jpg', 'trip-2.png'])
  })

  it('creates a link that is valid for 4 hours from its own creation', async () => {
    const { task } = await exported({ input: [photo.id] })
    const expiresAt = Date.parse(task.result.files?.[0]?.expiresAt ?? '')
    expect(expiresAt - Date.parse(task.createdAt)).toBe(4 * 3600_000)
    expect(new URL(task.result.url ?? '').searchParams.get('expires')).toBe(String(Math.floor(expiresAt / 1000)))
  })

  it('needs an input', async () => {
    expect((await api.refused('POST', '/v1/process/export/url', { json: {} })).errors?.[0]?.path).toBe('input')
  })

  it('stays available when its input is deleted: it has a copy', async () => {
    const source = await importFixture(api, 'photo-40k.jpg')
    const { url } = await exported({ input: [source.id] })
    await api.remove(`/v1/process/tasks/${source.id}`)
    expect(await api.download(url)).toEqual(bytes)
  })
})

describe('a link', () => {
  it('serves a file that browsers only save [D-shape-11]', async () => {
    const { headers } = await anyone.get(photo.result.url ?? '')
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="photo-40k\.jpg"/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('content-length')).toBe(String(bytes.length))
    expect(headers.get('accept-ranges')).toBe('bytes')
  })

  it('answers HEAD with the same headers and no body', async () => {
    const { status, headers, bytes: body } = await anyone.send('HEAD', photo.result.url ?? '')
    expect({ status, length: headers.get('content-length'), body: body.length }).toEqual({
      status: 200,
      length: String(bytes.length),
      body: 0,
    })
  })

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, bytes.length - 1],
    ['bytes=-50', bytes.length - 50, bytes.length - 1],
    ['bytes=38000-99999999', 38000, bytes.length - 1],
  ])('serves exactly the range %s', async (value, start, end) => {
    const { status, contentRange, length, part } = await range(photo.result.url ?? '', value)
    expect(status).toBe(206)
    expect(contentRange).toBe(`bytes ${start}-${end}/${bytes.length}`)
    expect(length).toBe(String(end - start + 1))
    expect(part).toEqual(bytes.subarray(start, end + 1))
  })

  it('refuses a range past the end, and reports the size', async () => {
    const { status, headers } = await anyone.get(photo.result.url ?? '', { range: `bytes=${bytes.length}-` })
    expect(status).toBe(400)
    expect(headers.get('content-range')).toBe(`bytes */${bytes.length}`)
  })

  it('serves a range only of the content that If-Range names', async () => {
    const { headers } = await anyone.send('HEAD', photo.result.url ?? '')
    const etag = headers.get('etag') ?? ''
    expect((await range(photo.result.url ?? '', 'bytes=0-9', { 'if-range': etag })).status).toBe(206)
    expect((await range(photo.result.url ?? '', 'bytes=0-9', { 'if-range': '"other"' })).status).toBe(200)
  })

  it('serves exact ranges of a ZIP too', async () => {
    const { url } = await exported({ input: [photo.id, alpha.id] })
    const whole = await api.download(url)
    for (const [start, end] of [
      [0, 9],
      [1000, 40_000],
      [38_900, 39_100],
      [whole.length - 30, whole.length - 1],
    ] as const) {
      const { status, part } = await range(url, `bytes=${start}-${end}`)
      expect(status).toBe(206)
      expect(part.equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
    }
  })

  it('works without the name at its end', async () => {
    const url = new URL(photo.result.url ?? '')
    url.pathname = url.pathname.split('/').slice(0, -1).join('/')
    expect(await api.download(url.href)).toEqual(bytes)
    expect((await range(url.href, 'bytes=0-0')).part).toEqual(bytes.subarray(0, 1))
  })

  it.each([
    ['signature', 'AAAA'],
    ['expires', '99999999999'],
  ])('with another %s is 404', async (name, value) => {
    const url = new URL(photo.result.url ?? '')
    url.searchParams.set(name, value)
    expect((await anyone.refused('GET', url.href)).errorCode).toBe('not_found')
  })

  it('of one file gives no access to another', async () => {
    const { task } = await exported({ input: [photo.id, alpha.id] })
    const url = new URL(task.result.files?.[0]?.url ?? '')
    url.pathname = url.pathname.replace('/0/', '/1/')
    expect((await anyone.refused('GET', url.href)).status).toBe(404)
  })

  it('may be fetched by pages of any origin', async () => {
    const { headers } = await anyone.get(photo.result.url ?? '', { origin: 'https://shop.example' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})
