import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import type { ErrorBody, UploadForm as Form, Task } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
let base: string
let headers: { authorization: string }
const maxFileBytes = 5_000_000

beforeAll(async () => {
  api = await startApi({ http: { maxFileBytes, uploadsAtOnce: 3, slotWaitMs: 200 } })
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  headers = (await api.createKey()).headers
})

afterAll(() => api[Symbol.asyncDispose]())

// Links contain the public URL; the tests replace it with the URL the api listens on.
const here = (url: string) => url.replace('https://lathe.test', base)

async function createUpload() {
  const response = await fetch(`${base}/v1/process/import/upload`, { method: 'POST', headers })
  const task = (await response.json()) as Task
  if (!task.result.form) throw new Error('no form')
  return { id: task.id, form: task.result.form, task }
}

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(3000, 7)])

function fill(form: Form, content: Uint8Array = png, name = 'photo.jpg', fileFirst = false): FormData {
  const body = new FormData()
  const addFields = () => Object.entries(form.parameters).forEach(([key, value]) => void body.append(key, value))
  if (!fileFirst) addFields()
  body.append('file', new Blob([new Uint8Array(content)]), name)
  if (fileFirst) addFields()
  return body
}

const send = (form: Form, body: FormData) => fetch(here(form.url), { method: 'POST', body })
const show = async (id: string) => (await (await fetch(`${base}/v1/process/tasks/${id}`, { headers })).json()) as Task

async function countObjects(): Promise<number> {
  const entries = await readdir(api.storageDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

async function uploaded(content: Uint8Array = png, name = 'photo.png') {
  const { id, form } = await createUpload()
  const response = await send(form, fill(form, content, name))
  expect(response.status).toBe(200)
  const task = (await response.json()) as Task
  return { id, task, url: here(task.result.url ?? '') }
}

describe('uploading', () => {
  it('starts with a task that is processing and has a form to send the file to [S-task-14, S-task-15, S-imp-03, D-state-02]', async () => {
    const { task, form } = await createUpload()
    expect(task).toMatchObject({ operation: 'import/upload', status: 'processing', name: 'import/upload', payload: {} })
    expect(form.url).toMatch(/^https:\/\/lathe\.test\/v1\/uploads\//)
    expect(Object.values(form.parameters).every((value) => typeof value === 'string')).toBe(true)
  })

  it.each([false, true])(
    'completes the task and answers 200 with it, fields and file in any order (file first: %s) [S-gen-04, S-gen-07, S-state-06, S-imp-04, S-imp-07, S-imp-08, D-op-33]',
    async (fileFirst) => {
      const { id, form } = await createUpload()
      const response = await send(form, fill(form, png, 'photo.jpg', fileFirst))
      expect(response.status).toBe(200)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      const task = (await response.json()) as Task
      expect(task).toMatchObject({ id, status: 'completed' })
      const sha256 = createHash('sha256').update(png).digest('hex')
      expect(task.result.files).toEqual([expect.objectContaining({ filename: 'photo.jpg', size: png.length, sha256 })])
      expect((await show(id)).status).toBe('completed')
    },
  )

  it('detects the format from the content, not from the name', async () => {
    const { id } = await uploaded(png, 'lie.jpg')
    const { rows } = await api.services.database.pool.query('select format from files where task_id = $1', [`\\x${id}`])
    expect(rows).toEqual([{ format: 'png' }])
  })

  it('works once, and is refused as used the second time [D-http-67, D-op-32]', async () => {
    const { form } = await createUpload()
    expect((await send(form, fill(form))).status).toBe(200)
    expect(await (await send(form, fill(form))).json()).toMatchObject({ status: 404, errorCode: 'form_used' })
  })

  it('is refused as expired after an hour [D-http-67]', async () => {
    const { id, form } = await createUpload()
    const { pool } = api.services.database
    const expire = `update tasks set status = 'failed', reason = 'upload_timeout' where id = $1`
    await pool.query(expire, [`\\x${id}`])
    expect(await (await send(form, fill(form))).json()).toMatchObject({ status: 404, errorCode: 'form_expired' })
  })

  it('names a form field that is missing [D-http-67]', async () => {
    const { form } = await createUpload()
    const answer = await send(form, fill({ ...form, parameters: {} }))
    const body = (await answer.json()) as ErrorBody
    expect(body).toMatchObject({ status: 400, errors: [{ path: 'signature', code: 'required' }] })
    expect(body.msg).toContain('result.form.parameters')
    const none = fill(form)
    none.delete('file')
    expect(await (await send(form, none)).json()).toMatchObject({ errors: [{ path: 'file', code: 'required' }] })
  })

  it('succeeds for one of two that are sent at once', async () => {
    const { id, form } = await createUpload()
    const objects = await countObjects()
    const answers = await Promise.all([send(form, fill(form)), send(form, fill(form))])
    const [winner, loser] = answers.map(({ status }) => status).sort()
    expect(winner).toBe(200)
    // Refused during the other upload, or after it.
    expect([404, 429]).toContain(loser)
    expect((await show(id)).result.files).toHaveLength(1)
    expect(await countObjects()).toBe(objects + 1)
  })

  it('answers 404 for a wrong token, a wrong signature and a canceled task, and explains it only to the holder of the form [S-imp-05, D-op-32]', async () => {
    const { id, form } = await createUpload()
    const wrongToken = { ...form, url: `${form.url.slice(0, -1)}${form.url.endsWith('A') ? 'B' : 'A'}` }
    const wrongSignature = { ...form, parameters: { signature: 'x' } }
    const stranger = await send(wrongToken, fill(form))
    const careless = await send(wrongSignature, fill(wrongSignature))
    await fetch(`${base}/v1/process/tasks/${id}/cancel`, { method: 'POST', headers })
    const late = await send(form, fill(form))
    const bodies = await Promise.all([stranger, careless, late].map(async (one) => (await one.json()) as ErrorBody))
    for (const body of bodies) expect(body).toMatchObject({ status: 404, errorCode: 'not_found' })
    expect(bodies.map(({ msg }) => msg)).toEqual([
      'There is no such resource.',
      expect.stringContaining('signature'),
      expect.stringContaining('canceled'),
    ])
  })

  it('refuses with 400 a body that is not a form, or has no file, two files or a file in another field, and leaves the form usable [S-imp-04, S-imp-06]', async () => {
    const { form } = await createUpload()
    const json = await fetch(here(form.url), {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(await json.json()).toMatchObject({ status: 400, errorCode: 'unsupported_media_type' })
    const objects = await countObjects()
    const none = fill(form)
    none.delete('file')
    expect(await (await send(form, none)).json()).toMatchObject({ status: 400, errorCode: 'invalid_request' })
    const two = fill(form)
    two.append('file', new Blob([new Uint8Array(png)]), 'b.png')
    expect((await send(form, two)).status).toBe(400)
    const elsewhere = fill(form)
    elsewhere.append('document', new Blob([new Uint8Array(png)]), 'b.png')
    expect((await send(form, elsewhere)).status).toBe(400)
    expect(await countObjects()).toBe(objects)
    expect((await send(form, fill(form))).status).toBe(200)
  })

  it('refuses a file past the limit with 400 and leaves the form usable [L-file]', async () => {
    const { form } = await createUpload()
    const response = await send(form, fill(form, Buffer.alloc(maxFileBytes + 1)))
    expect(await response.json()).toMatchObject({ status: 400, errorCode: 'body_too_large' })
    expect((await send(form, fill(form))).status).toBe(200)
  })

  it('that is interrupted leaves the form usable and nothing in storage [D-state-34]', async () => {
    const { id, form } = await createUpload()
    const { pathname, port, hostname } = new URL(here(form.url))
    const objects = await countObjects()
    const before = (await api.services.metrics.uploads.get()).values[0]?.value ?? 0
    const socket = connect(Number(port), hostname)
    const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 900000\r\n\r\n`
    socket.write(`${head}--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`)
    socket.write(Buffer.alloc(200_000, 1))
    await expect.poll(async () => (await api.services.metrics.uploads.get()).values[0]?.value).toBe(before + 1)
    socket.destroy()
    await expect.poll(async () => (await api.services.metrics.uploads.get()).values[0]?.value).toBe(before)
    expect((await show(id)).status).toBe('processing')
    expect(await countObjects()).toBe(objects)
    expect((await send(form, fill(form))).status).toBe(200)
  })

  it('refused early reads a short body all the same: a sender that is still sending sees why', async () => {
    const { id } = await createUpload()
    const { hostname, port } = new URL(base)
    const socket = connect(Number(port), hostname).setEncoding('utf8')
    const answers: string[] = []
    socket.on('data', (text) => answers.push(String(text)))
    const head = ['host: x', 'content-type: multipart/form-data; boundary=x', 'content-length: 5000'].join('\r\n')
    socket.write(`POST /v1/uploads/${id}/wrong HTTP/1.1\r\n${head}\r\n\r\n`)
    await waitFor(() => answers.join('').includes('not_found'), { withinMs: 5_000 })
    socket.write(Buffer.alloc(5000))
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await waitFor(() => socket.closed, { withinMs: 5_000 })
    expect(answers.join('').match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200'])
  })

  it('is limited: too many at once are answered with 429', async () => {
    const forms = await Promise.all([1, 2, 3, 4].map(() => createUpload()))
    const sockets = forms.slice(0, 3).map(({ form }) => {
      const { pathname, port, hostname } = new URL(here(form.url))
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 900\r\n\r\n--B\r\n`
      socket.write(head)
      return socket
    })
    await expect.poll(async () => (await api.services.metrics.uploads.get()).values[0]?.value).toBe(3)
    const [, , , last] = forms
    if (!last) throw new Error('no form')
    const refused = await send(last.form, fill(last.form))
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBeTruthy()
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await api.services.metrics.uploads.get()).values[0]?.value).toBe(0)
    expect((await send(last.form, fill(last.form))).status).toBe(200)
  })
})

describe('downloading', () => {
  const content = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 251))

  it('needs no key, and sends the file as an attachment [D-shape-10, D-shape-11]', async () => {
    const { url } = await uploaded(content, 'Übung (1).bin')
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': '1000',
      'content-disposition': `attachment; filename="_bung (1).bin"; filename*=UTF-8''%C3%9Cbung%20%281%29.bin`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(content).digest('hex')}"`,
      'access-control-allow-origin': '*',
    })
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  it('answers any Accept [D-http-29]', async () => {
    const { url } = await uploaded(content)
    expect((await fetch(url, { headers: { accept: 'image/png' } })).status).toBe(200)
  })

  it('serves ranges with 206 and what If-Range asks [D-shape-14]', async () => {
    const { url } = await uploaded(content)
    const get = (range: string, more = {}) => fetch(url, { headers: { range, ...more } })
    const part = await get('bytes=10-19')
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 10-19/1000')
    expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(10, 20))
    expect(Buffer.from(await (await get('bytes=-5')).arrayBuffer())).toEqual(content.subarray(995))
    const etag = (await get('bytes=0-0')).headers.get('etag') ?? ''
    expect((await get('bytes=0-0', { 'if-range': etag })).status).toBe(206)
    expect((await get('bytes=0-0', { 'if-range': '"other"' })).status).toBe(200)
  })

  it('refuses a range past the end with 400', async () => {
    const { url } = await uploaded(content)
    const response = await fetch(url, { headers: { range: 'bytes=1000-' } })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-range')).toBe('bytes */1000')
    expect(await response.json()).toMatchObject({ errorCode: 'invalid_request' })
  })

  it('answers HEAD with the headers alone [D-http-22]', async () => {
    const { url } = await uploaded(content)
    const response = await fetch(url, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('1000')
    expect(await response.text()).toBe('')
  })

  it('serves an empty file', async () => {
    const { url } = await uploaded(Buffer.alloc(0), 'empty.txt')
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  it('answers an altered link with 404 and nothing more', async () => {
    const { url } = await uploaded(content)
    const answers = [
      await fetch(url.replace(/signature=(.)/, (_, first) => `signature=${first === '_' ? '-' : '_'}`)),
      await fetch(url.replace(/expires=\d/, 'expires=9')),
      await fetch(url.replace('/0/', '/1/')),
      await fetch(url.replace('/0/', '/archive/')),
      await fetch(url.replace(/\?.*/, '')),
    ]
    const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as ErrorBody))
    for (const body of bodies) expect({ ...body, requestId: '' }).toEqual({ ...bodies[0], requestId: '' })
    expect(bodies[0]).toMatchObject({ status: 404, errorCode: 'not_found', msg: 'There is no such resource.' })
  })

  it('answers an expired or deleted link with 404, and says which it is [S-state-09, D-http-10, D-http-67]', async () => {
    const { id, url } = await uploaded(content)
    const past = new URL(
      api.services.links.at(new Date()).fileUrl({ id, linkGeneration: 0 }, 0, 'x', new Date(Date.now() - 5000)),
    )
    expect(await (await fetch(here(past.href))).json()).toMatchObject({ status: 404, errorCode: 'link_expired' })
    await fetch(`${base}/v1/process/tasks/${id}`, { method: 'DELETE', headers })
    const gone = (await (await fetch(url)).json()) as ErrorBody
    expect(gone).toMatchObject({ status: 404, errorCode: 'not_found', msg: 'The file of this link was deleted.' })
  })

  it('ignores the name at the end of a link, which is for readers only', async () => {
    const { url } = await uploaded(content, 'right.bin')
    const renamed = url.replace('right.bin', 'wrong.exe')
    expect((await fetch(renamed)).headers.get('content-disposition')).toContain('right.bin')
    expect((await fetch(renamed.replace('/wrong.exe', ''))).status).toBe(200)
  })

  it('sends several files as a ZIP of known length, with exact ranges [D-shape-12]', async () => {
    const { id } = await uploaded(content, 'a.bin')
    const { database, store, links } = api.services
    const { objectKey } = await import('@lathe/storage')
    const key = objectKey({ taskId: id, attempt: 'second', n: 1 })
    const { size, sha256, crc32 } = await store.put(key, one(png), { signal: AbortSignal.timeout(5000) })
    await database.pool.query(
      `insert into files (task_id, n, key, filename, format, size, sha256, crc32, expires_at)
       values ($1, 1, $2, 'b.png', 'png', $3, $4, $5, now() + interval '1 hour')`,
      [`\\x${id}`, key, size, `\\x${sha256}`, crc32],
    )
    const { url = '' } = (await show(id)).result
    expect(url).toContain('/archive/')
    expect(links.at(new Date()).archiveUrl({ id, linkGeneration: 0 }, 'x.zip', new Date())).toContain('/archive/x.zip')
    const whole = await fetch(here(url))
    const zip = Buffer.from(await whole.arrayBuffer())
    expect(whole.headers.get('content-length')).toBe(String(zip.length))
    expect(whole.headers.get('content-disposition')).toContain('.zip"')
    expect(zip.subarray(0, 2).toString()).toBe('PK')
    expect(zip.includes(png)).toBe(true)
    const part = await fetch(here(url), { headers: { range: 'bytes=500-1999' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(zip.subarray(500, 2000))
  })
})

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}
