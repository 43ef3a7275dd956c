import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Task } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../testing/start-api.ts'

let api: TestApi
let base: string
let headers: { authorization: string }
const maxFileBytes = 60_000_000

beforeAll(async () => {
  api = await startApi({ http: { maxFileBytes }, env: { STORED_BYTES_PER_OWNER: '200000000' } })
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  headers = (await api.createKey()).headers
})

afterAll(() => api[Symbol.asyncDispose]())

// Links contain the public URL; the tests replace it with the URL the api listens on.
const here = (url: string) => url.replace('https://lathe.test', base)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const encode = (text: string) => Buffer.from(text).toString('base64')
const tus = { 'tus-resumable': '1.0.0' }
const show = async (id: string) => (await (await fetch(`${base}/v1/process/tasks/${id}`, { headers })).json()) as Task

async function openForm(by = headers) {
  const task = (await (await fetch(`${base}/v1/process/import/upload`, { method: 'POST', headers: by })).json()) as Task
  const { form } = task.result
  if (!form) throw new Error('no form')
  return { id: task.id, form, metadata: { ...form.parameters, filename: 'Übung 1.bin' } }
}

type Open = Awaited<ReturnType<typeof openForm>>

function start({ form, metadata }: Pick<Open, 'form'> & { metadata: object }, length: number | string) {
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${encode(value)}`)
  const about = { 'upload-length': String(length), 'upload-metadata': pairs.join(',') }
  return fetch(here(form.tusUrl), { method: 'POST', headers: { ...tus, ...about } })
}

async function started(length: number) {
  const open = await openForm()
  const response = await start(open, length)
  expect(response.status).toBe(201)
  return { ...open, url: here(response.headers.get('location') ?? '') }
}

const ask = (url: string) => fetch(url, { method: 'HEAD', headers: tus })
const offsetAt = async (url: string) => Number((await ask(url)).headers.get('upload-offset'))

function send(url: string, offset: number, bytes: Uint8Array, more: Readonly<Record<string, string>> = {}) {
  const type = { 'content-type': 'application/offset+octet-stream' }
  const all = { ...tus, ...type, 'upload-offset': String(offset), ...more }
  return fetch(url, { method: 'PATCH', headers: all, body: Buffer.from(bytes) })
}

async function objectsOf(taskId: string): Promise<number> {
  const entries = await readdir(api.storageDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && entry.parentPath.includes(taskId)).length
}

/** Sends the start of a body and cuts the connection. */
async function sendAndBreak(url: string, offset: number, bytes: Uint8Array, claimed: number): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = [
    `PATCH ${pathname} HTTP/1.1`,
    `Host: ${hostname}`,
    'Tus-Resumable: 1.0.0',
    'Content-Type: application/offset+octet-stream',
    `Upload-Offset: ${offset}`,
    `Content-Length: ${claimed}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await new Promise<void>((done, fail) => socket.write(bytes, (error) => (error ? fail(error) : done())))
  await new Promise((done) => setTimeout(done, 100))
  socket.destroy()
}

describe('uploads that can be resumed', () => {
  it('refuse bytes of another type with 415, and keep none of them', async () => {
    const { url } = await started(10)
    for (const type of ['application/json', 'application/octet-stream', 'text/plain']) {
      const refused = await send(url, 0, Buffer.from('"12345678"'), { 'content-type': type })
      expect([type, refused.status]).toEqual([type, 415])
      expect(await refused.json()).toMatchObject({ errorCode: 'not_offset_bytes' })
      expect(await offsetAt(url)).toBe(0)
    }
  })

  it('take X-HTTP-Method-Override for the method of a POST to an upload, and nowhere else', async () => {
    const { id, url } = await started(5)
    const as = (method: string, to = url, more: { headers?: object; init?: object } = {}) =>
      fetch(to, {
        method: 'POST',
        headers: { ...tus, 'x-http-method-override': method, ...more.headers },
        ...more.init,
      })
    const bytes = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const sent = await as('PATCH', url, { headers: bytes, init: { body: Buffer.from('12') } })
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, '2'])
    const asked = await as('HEAD')
    expect([asked.status, asked.headers.get('upload-offset')]).toEqual([200, '2'])
    expect((await as('GET')).status).toBe(405)
    expect((await as('DELETE', `${base}/v1/process/tasks/${id}`, { headers })).status).toBe(405)
    expect((await as('DELETE')).status).toBe(204)
    expect((await ask(url)).status).toBe(404)
  })

  it('are gone once a file came through the form instead', async () => {
    const { form, url } = await started(10)
    const body = new FormData()
    for (const [name, value] of Object.entries(form.parameters)) body.set(name, value)
    body.set('file', new Blob(['hello']), 'a.txt')
    expect((await fetch(here(form.url), { method: 'POST', body })).status).toBe(200)
    const asked = await ask(url)
    expect([asked.status, asked.headers.get('upload-offset')]).toEqual([404, null])
    expect(await (await send(url, 0, randomBytes(5))).json()).toMatchObject({ errorCode: 'form_used' })
  })

  it('accept a file from a real tus client, in chunks [D-op-80]', async () => {
    const bytes = randomBytes(20_000_000)
    const { id, url } = await started(bytes.length)
    await new Promise<void>((onSuccess, onError) => {
      new Upload(bytes, {
        uploadUrl: url,
        chunkSize: 6_000_000,
        retryDelays: [],
        onSuccess: () => onSuccess(),
        onError,
      }).start()
    })
    const task = await show(id)
    expect(task.status).toBe('completed')
    expect(task.result.files).toEqual([
      expect.objectContaining({ filename: 'Übung 1.bin', size: bytes.length, sha256: sha256(bytes) }),
    ])
    // The parts are gone; the file exists.
    expect(await objectsOf(id)).toBe(1)
  })

  it('keep what arrived before the connection was lost, and resume from there [D-op-80]', async () => {
    const bytes = randomBytes(3_000_000)
    const { id, url } = await started(bytes.length)
    await sendAndBreak(url, 0, bytes.subarray(0, 1_000_000), bytes.length)
    await waitFor(async () => (await offsetAt(url)) === 1_000_000, { withinMs: 5_000 })
    expect((await send(url, 1_000_000, bytes.subarray(1_000_000))).status).toBe(204)
    expect((await show(id)).result.files?.[0]?.sha256).toBe(sha256(bytes))
    expect(await offsetAt(url)).toBe(bytes.length)
  })

  it('refuse bytes for another offset, and report the current one [D-op-81]', async () => {
    const { url } = await started(100)
    expect((await send(url, 0, randomBytes(40))).status).toBe(204)
    const refused = await send(url, 0, randomBytes(40))
    expect([refused.status, refused.headers.get('upload-offset')]).toEqual([409, '40'])
    expect(await refused.json()).toMatchObject({ errorCode: 'upload_moved' })
  })

  it('accept one of two requests at the same offset, and lose no byte [D-op-81]', async () => {
    const bytes = randomBytes(200_000)
    const { id, url } = await started(bytes.length)
    const halves = await Promise.all([
      send(url, 0, bytes.subarray(0, 100_000)),
      send(url, 0, bytes.subarray(0, 100_000)),
    ])
    const statuses = halves.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(204)
    expect([409, 423]).toContain(statuses[1])
    expect((await send(url, 100_000, bytes.subarray(100_000))).status).toBe(204)
    expect((await show(id)).result.files?.[0]?.sha256).toBe(sha256(bytes))
  })

  it('keep bytes with a checksum as a whole or not at all [D-op-81]', async () => {
    const bytes = randomBytes(50_000)
    const { id, url } = await started(bytes.length)
    const digest = (algorithm: string, of = bytes) => createHash(algorithm).update(of).digest('base64')
    const wrong = await send(url, 0, bytes, { 'upload-checksum': `sha1 ${digest('sha1', randomBytes(3))}` })
    expect(wrong.status).toBe(460)
    expect([await offsetAt(url), await objectsOf(id)]).toEqual([0, 0])
    const unknown = await send(url, 0, bytes, { 'upload-checksum': 'crc32 AAAA' })
    expect(await unknown.json()).toMatchObject({ errorCode: 'invalid_request', errors: [{ path: 'Upload-Checksum' }] })
    expect((await send(url, 0, bytes, { 'upload-checksum': `sha256 ${digest('sha256')}` })).status).toBe(204)
    expect((await show(id)).result.files?.[0]?.sha256).toBe(sha256(bytes))
  })

  it('complete a task whose api died after the last byte and before the file was stored [D-op-82]', async () => {
    const bytes = randomBytes(1000)
    const { id, url } = await started(bytes.length)
    await send(url, 0, bytes.subarray(0, 999))
    // The state after an api crashed: all bytes are recorded, but not joined into a file.
    const key = `left/${id}/r/0`
    const source = (async function* () {
      yield bytes.subarray(999)
    })()
    await api.services.store.put(key, source, { signal: new AbortController().signal })
    const { pool } = api.services.database
    await pool.query(`insert into upload_parts (task_id, starts_at, size, key) values ($1, 999, 1, $2)`, [
      `\\x${id}`,
      key,
    ])
    await pool.query(`update resumable_uploads set received = 1000 where task_id = $1`, [`\\x${id}`])
    expect((await show(id)).status).toBe('processing')
    expect(await offsetAt(url)).toBe(1000)
    expect((await show(id)).result.files?.[0]?.sha256).toBe(sha256(bytes))
  })

  it('take an empty file', async () => {
    const { id } = await started(0)
    expect((await show(id)).result.files?.[0]).toMatchObject({ size: 0 })
  })

  it('are limited: in length, in received bytes, and by the storage quota of their owner [D-op-83]', async () => {
    const open = await openForm()
    expect(await (await start(open, maxFileBytes + 1)).json()).toMatchObject({ errorCode: 'body_too_large' })
    const { url } = await started(10)
    expect(await (await send(url, 0, randomBytes(11))).json()).toMatchObject({ errorCode: 'body_too_large' })
    const other = await api.createKey()
    const forms = await Promise.all([1, 2, 3, 4].map(() => openForm(other.headers)))
    const statuses: number[] = []
    for (const form of forms) statuses.push((await start(form, maxFileBytes)).status)
    expect(statuses).toEqual([201, 201, 201, 403])
    // A restarted upload does not count twice.
    expect((await start(forms[0] as Open, maxFileBytes)).status).toBe(201)
  })

  it('have at most 10,000 parts', async () => {
    const { id, url } = await started(20_000)
    const rows = `insert into upload_parts (task_id, starts_at, size, key) select $1, n, 1, 'left/' || n from generate_series(0, 9999) n`
    await api.services.database.pool.query(rows, [`\\x${id}`])
    await api.services.database.pool.query(`update resumable_uploads set received = 10000 where task_id = $1`, [
      `\\x${id}`,
    ])
    const refused = await (await send(url, 10_000, randomBytes(1))).json()
    expect(refused).toMatchObject({ errorCode: 'invalid_request', msg: expect.stringContaining('at least 2 bytes') })
  })

  it('can be terminated and started again: received bytes are deleted [D-op-83]', async () => {
    const { id, url, form, metadata } = await started(1000)
    await send(url, 0, randomBytes(500))
    const again = await start({ form, metadata }, 20)
    expect(again.status).toBe(201)
    expect(await objectsOf(id)).toBe(0)
    expect((await ask(url)).status).toBe(404)
    const second = here(again.headers.get('location') ?? '')
    await send(second, 0, randomBytes(5))
    expect((await fetch(second, { method: 'DELETE', headers: tus })).status).toBe(204)
    expect([(await ask(second)).status, await objectsOf(id)]).toEqual([404, 0])
    expect((await show(id)).status).toBe('processing')
  })

  it('are refused without the signature, with a wrong one, and at somebody else’s address', async () => {
    const [mine, other] = [await openForm(), await openForm()]
    expect((await start({ ...mine, metadata: {} }, 5)).status).toBe(400)
    expect((await start({ ...mine, metadata: other.form.parameters }, 5)).status).toBe(404)
    const { url } = await started(5)
    const elsewhere = url.replace(/uploads\/[^/]+\/[^/]+/, new URL(mine.form.url).pathname.slice('/v1/'.length))
    expect((await ask(elsewhere)).status).toBe(404)
    expect((await ask(`${url.slice(0, -4)}0000`)).status).toBe(404)
  })

  it('end with their task', async () => {
    const { id, url } = await started(10)
    await send(url, 0, randomBytes(4))
    await fetch(`${base}/v1/process/tasks/${id}/cancel`, { method: 'POST', headers })
    expect([(await ask(url)).status, (await send(url, 4, randomBytes(6))).status]).toEqual([404, 404])
  })

  it('report the supported protocol, and refuse another version [D-op-80]', async () => {
    const { form, url } = await started(10)
    const options = await fetch(here(form.tusUrl), { method: 'OPTIONS' })
    expect(options.headers.get('tus-version')).toBe('1.0.0')
    expect(options.headers.get('tus-extension')).toBe('creation,expiration,termination,checksum')
    expect(options.headers.get('tus-max-size')).toBe(String(maxFileBytes))
    const old = await fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '0.2.2' } })
    expect([old.status, old.headers.get('tus-resumable')]).toEqual([412, '1.0.0'])
    const asked = await ask(url)
    expect(asked.headers.get('cache-control')).toBe('no-store')
    const endsAt = Date.parse(asked.headers.get('upload-expires') ?? '')
    expect(Math.abs(endsAt - Date.now() - 3_600_000)).toBeLessThan(60_000)
    expect((await start(await openForm(), 'many')).status).toBe(400)
  })

  it('are open to pages of other origins', async () => {
    const { form } = await openForm()
    const asked = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'upload-offset' }
    const preflight = await fetch(here(form.tusUrl), {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', ...asked },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Upload-Offset')
  })
})
