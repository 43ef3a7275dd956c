import { createHash } from 'node:crypto'
import { request } from 'node:http'
import type { Task } from '@lathe/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, fixture, newClient, outputOf } from '../scenario.ts'
import { formOf, upload } from '../upload.ts'

let api: Client
const photo = fixture('photo-40k.jpg')
beforeAll(async () => {
  api = await newClient()
})

describe('import/upload', () => {
  it('is processing from its creation and has a form that is different for each task', async () => {
    const [one, other] = [await api.create('import/upload'), await api.create('import/upload')]
    expect(one).toMatchObject({ status: 'processing', endedAt: null, payload: {} })
    expect(formOf(one).url).not.toBe(formOf(other).url)
    expect(formOf(one).parameters).not.toEqual(formOf(other).parameters)
  })

  it('completes when the file has been posted to its form, which answers 200 with the task', async () => {
    const { status, body } = await upload(api, await api.create('import/upload'), photo, { filename: 'holiday.jpg' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'completed', result: { files: [{ filename: 'holiday.jpg' }] } })
    expect(body.result.files?.[0]?.sha256).toBe(createHash('sha256').update(photo).digest('hex'))
    expect(await outputOf(api, await api.task(body.id))).toEqual(photo)
  })

  it('accepts an HTML form as a browser submits it: without script or key, with Accept: text/html [S-imp-08]', async () => {
    const task = await api.create('import/upload')
    const { url, parameters } = formOf(task)
    // What Chromium sends for <form method=post enctype=multipart/form-data> with hidden fields and a file chooser.
    const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW2'
    const part = (head: string, body: string | Buffer) => [`--${boundary}\r\n${head}\r\n\r\n`, body, '\r\n']
    const chunks = [
      ...Object.entries(parameters).flatMap(([name, value]) =>
        part(`Content-Disposition: form-data; name="${name}"`, value),
      ),
      ...part(
        'Content-Disposition: form-data; name="file"; filename="f\u00fcr dich.jpg"\r\nContent-Type: image/jpeg',
        photo,
      ),
      ...part('Content-Disposition: form-data; name="submit"', 'Send'),
      `--${boundary}--\r\n`,
    ]
    const { status, headers, body } = await api.withKey(undefined).send<Task>('POST', url, {
      raw: Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))),
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
        origin: 'https://shop.example',
        referer: 'https://shop.example/print',
        'upgrade-insecure-requests': '1',
      },
    })
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body.result.files).toMatchObject([{ filename: 'f\u00fcr dich.jpg', size: photo.length }])
    expect(await outputOf(api, await api.task(body.id))).toEqual(photo)
  })

  it('accepts the file before the fields as well', async () => {
    const { body } = await upload(api, await api.create('import/upload'), photo, { fileFirst: true })
    expect(body.status).toBe('completed')
  })

  it('gives the file the name its task was created with', async () => {
    const task = await api.create('import/upload', { filename: 'mine.jpg' })
    const { body } = await upload(api, task, photo, { filename: 'theirs.jpg' })
    expect(body.result.files?.[0]?.filename).toBe('mine.jpg')
  })

  it('provides the input of the tasks of its job that wait for it', async () => {
    const job = await api.createJob({
      file: { operation: 'import/upload' },
      png: { operation: 'convert', input: 'file', output_format: 'png' },
    })
    const [form] = job.tasks ?? []
    if (!form) throw new Error('no task')
    await upload(api, form, photo)
    expect((await api.endedJob(job.id)).status).toBe('completed')
  })

  it('refuses a wrong signature, and the form stays usable', async () => {
    const task = await api.create('import/upload')
    const { status } = await upload(api, task, photo, { parameters: { signature: 'wrong' } })
    expect(status).toBe(404)
    expect((await api.task(task.id)).status).toBe('processing')
    expect((await upload(api, task, photo)).body.status).toBe('completed')
  })

  it('refuses a second file for a form that was used', async () => {
    const task = await api.create('import/upload')
    await upload(api, task, photo)
    const again = await upload(api, task, photo)
    expect([again.status, again.body]).toMatchObject([404, { errorCode: 'form_used' }])
  })

  it('refuses a form without a file', async () => {
    const { url, parameters } = formOf(await api.create('import/upload'))
    const form = new FormData()
    for (const [name, value] of Object.entries(parameters)) form.append(name, value)
    const { status, msg } = await api.refused('POST', url, { raw: form })
    expect({ status, msg }).toMatchObject({ status: 400, msg: expect.stringContaining('file') })
  })

  it('refuses a body that is not a form', async () => {
    const { url } = formOf(await api.create('import/upload'))
    const refused = await api.refused('POST', url, { json: { file: 'x' } })
    expect(refused).toMatchObject({ status: 400, errorCode: 'unsupported_media_type' })
  })

  it('leaves the form usable when an upload is interrupted', async () => {
    const task = await api.create('import/upload')
    const { url, parameters } = formOf(task)
    const broken = request(url, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 1_000_000 },
    })
    const gone = new Promise((resolve) => broken.once('close', resolve))
    broken.on('error', () => {})
    broken.write(`--x\r\ncontent-disposition: form-data; name="signature"\r\n\r\n${parameters.signature}\r\n`)
    const begin = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nthe first bytes'
    await new Promise((sent) => broken.write(begin, sent))
    broken.destroy()
    await gone
    expect((await api.task(task.id)).status).toBe('processing')
    expect(completed((await upload(api, task, photo)).body).result.files?.[0]?.size).toBe(photo.length)
  })

  it('may be sent from a page of any origin', async () => {
    const { url } = formOf(await api.create('import/upload'))
    const preflight = await api.send('OPTIONS', url, {
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('cannot be used once its task is canceled', async () => {
    const task = await api.create('import/upload')
    await api.post(`/v1/process/tasks/${task.id}/cancel`)
    expect((await upload(api, task, photo)).status).toBe(404)
  })
})
