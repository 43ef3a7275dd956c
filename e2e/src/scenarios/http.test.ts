import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { apiRoutes } from '../openapi.ts'
import { newClient, stack } from '../scenario.ts'

let api: Client
beforeAll(async () => {
  api = await newClient()
})

const convertPath = '/v1/process/convert'
const json = { 'content-type': 'application/json' }

describe('every answer', () => {
  it('has its request id in a header, and in the body of an error', async () => {
    const { headers, body } = await api.get<{ requestId: string }>('/v1/process/tasks/x')
    expect(headers.get('x-request-id')).toMatch(/.{8}/)
    expect(body.requestId).toBe(headers.get('x-request-id'))
  })

  it('is JSON in UTF-8', async () => {
    const { headers } = await api.get('/v1/query/formats')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('reports the rate limit and what is left of it', async () => {
    const { headers } = await api.get('/v1/process/tasks')
    expect(Number(headers.get('ratelimit-limit'))).toBeGreaterThan(0)
    expect(Number(headers.get('ratelimit-remaining'))).toBeGreaterThan(0)
    expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
  })
})

describe('an unknown path or method', () => {
  it('answers 404 for an unknown path, with and without a key', async () => {
    expect(await api.refused('GET', '/v1/nothing')).toMatchObject({ status: 404, errorCode: 'not_found' })
    expect((await api.withKey(undefined).refused('GET', '/nothing')).status).toBe(404)
  })

  it('answers 405 with Allow for a method a path does not have', async () => {
    const { status, headers, body } = await api.send<{ errorCode: string }>('DELETE', '/v1/process/jobs')
    expect({ status, errorCode: body.errorCode }).toEqual({ status: 405, errorCode: 'method_not_allowed' })
    expect(headers.get('allow')).toMatch(/GET.*POST/)
  })

  it.each(apiRoutes.map(({ path }) => path))('answers 405 for PUT %s, before it checks the key', async (path) => {
    const concrete = path.replaceAll(/\{[^}]+\}/g, 'a')
    expect((await api.withKey(undefined).refused('PUT', concrete)).status).toBe(405)
  })
})

describe('Accept', () => {
  it.each(['text/html', 'application/xml', 'image/*', 'application/json;q=0'])(
    '%s is refused with 406',
    async (accept) => {
      const { status, body } = await api.get<{ errorCode: string }>('/v1/query/formats', { accept })
      expect({ status, errorCode: body.errorCode }).toEqual({ status: 406, errorCode: 'not_acceptable' })
    },
  )

  it.each(['*/*', 'application/*', 'application/json', 'text/html, application/json;q=0.5', ''])(
    '%j accepts JSON',
    async (accept) => {
      expect((await api.get('/v1/query/formats', { accept })).status).toBe(200)
    },
  )

  it('is checked before the key', async () => {
    const anyone = api.withKey(undefined)
    expect((await anyone.refused('GET', '/v1/process/tasks', { headers: { accept: 'text/html' } })).status).toBe(406)
  })
})

describe('HEAD, OPTIONS and a slash at the end', () => {
  it('HEAD answers as GET does, without a body', async () => {
    const { status, bytes } = await api.send('HEAD', '/v1/process/tasks')
    expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 })
    expect((await api.withKey(undefined).send('HEAD', '/v1/process/tasks')).status).toBe(401)
  })

  it('OPTIONS answers 204 without a key', async () => {
    const { status, headers } = await api.withKey(undefined).send('OPTIONS', '/v1/process/jobs')
    expect(status).toBe(204)
    expect(headers.get('allow')).toContain('POST')
  })

  it('a trailing slash is accepted', async () => {
    expect((await api.get('/v1/process/tasks/')).status).toBe(200)
    expect((await api.get('/v1/query/formats/convert/?input_format=jpg')).status).toBe(200)
  })

  it('queries are open to pages of any origin, tasks are not', async () => {
    const origin = 'https://shop.example'
    const open = await api.get('/v1/query/formats', { origin })
    expect(open.headers.get('access-control-allow-origin')).toBe('*')
    const closed = await api.get('/v1/process/tasks', { origin })
    expect(closed.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('a body', () => {
  it('with unknown fields is refused, naming the field and what is allowed', async () => {
    const body = { input: 'aaaaaaaaaaaaaaaaaaaaaaaa', output_format: 'png', outputFormat: 'png' }
    const { status, errors } = await api.refused('POST', convertPath, { json: body })
    expect(status).toBe(400)
    expect(errors?.[0]).toMatchObject({ path: 'outputFormat', msg: expect.stringContaining('output_format') })
  })

  it('is not coerced to another type', async () => {
    const { errors } = await api.refused('POST', '/v1/process/import/url', { json: { url: ['http://a.example/'] } })
    expect(errors?.[0]?.path).toBe('url')
    const archive = { input: ['aaaaaaaaaaaaaaaaaaaaaaaa'], archive_multiple_files: 'true' }
    expect((await api.refused('POST', '/v1/process/export/url', { json: archive })).errors?.[0]?.path).toBe(
      'archive_multiple_files',
    )
  })

  it('that is not JSON is refused', async () => {
    const refused = await api.refused('POST', convertPath, { raw: '{"input":', headers: json })
    expect(refused).toMatchObject({ status: 400, errorCode: 'invalid_json' })
  })

  it('that is not UTF-8 is refused', async () => {
    const raw = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    expect((await api.refused('POST', convertPath, { raw, headers: json })).errorCode).toBe('invalid_json')
  })

  it('of another media type is refused', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const refused = await api.refused('POST', convertPath, { raw: 'input=a', headers })
    expect(refused).toMatchObject({ status: 400, errorCode: 'unsupported_media_type' })
  })

  it('with __proto__ anywhere is refused', async () => {
    const raw = '{"input":"a","output_format":"png","options":{"__proto__":{"x":1}}}'
    expect((await api.refused('POST', convertPath, { raw, headers: json })).status).toBe(400)
  })

  it('nested deeper than 32 levels is refused', async () => {
    const raw = `{"options":${'['.repeat(40)}${']'.repeat(40)}}`
    expect((await api.refused('POST', convertPath, { raw, headers: json })).status).toBe(400)
  })

  it('larger than 16 MB is refused, and its sender gets the response each time', async () => {
    const raw = JSON.stringify({ tag: 'x'.repeat(17 * 1024 * 1024) })
    for (let time = 0; time < 5; time += 1)
      expect((await api.refused('POST', '/v1/process/jobs', { raw, headers: json })).errorCode).toBe('body_too_large')
  })

  it('may be empty or {} where none is needed', async () => {
    for (const body of [undefined, {}]) {
      const task = await api.create('import/upload', body)
      await api.remove(`/v1/process/tasks/${task.id}`)
    }
  })

  it('with several invalid fields is refused, naming each', async () => {
    const body = { input: 7, output_format: '', colour: 'red' }
    const { errors } = await api.refused('POST', convertPath, { json: body })
    expect(errors?.map(({ path }) => path).sort()).toEqual(['colour', 'input', 'output_format'])
  })
})

describe('a request that is not HTTP', () => {
  it('gets an error in the usual format', async () => {
    const { hostname, port } = new URL(stack.url)
    const broken = request({ hostname, port, path: '/v1/query/formats', headers: { 'content-length': 'many' } })
    const answer = await new Promise<string>((resolve, reject) => {
      broken.on('response', (response) => resolve(text(response)))
      broken.on('error', reject)
      broken.end()
    })
    expect(JSON.parse(answer)).toMatchObject({ status: 400, errorCode: expect.any(String) })
  })
})
