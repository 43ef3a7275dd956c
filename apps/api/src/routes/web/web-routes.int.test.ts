import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let folder: string
let api: TestApi

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-web-'))
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Lathe</title>')
  await writeFile(join(folder, 'assets/main-abc.js'), 'export {}')
  await writeFile(join(folder, 'assets/main-abc.js.br'), 'compressed')
  await writeFile(join(folder, 'icon.svg'), '<svg/>')
  await writeFile(join(folder, '.vite/manifest.json'), '{}')
  api = await startApi({ http: { webDir: folder, perAddress: 2 } })
})

afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  api.app.inject({ url, headers: { accept: 'text/html', ...headers } })

describe('the web app', () => {
  it.each([
    '/',
    '/sign-in',
    '/setup',
    '/join',
    '/share',
    '/members',
    '/instance',
    '/jobs',
    '/jobs/000000000000000000000000',
    '/keys',
    '/usage',
  ])('is sent at %s under a policy that allows nothing from elsewhere, and no script in the page', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toContain('text/html')
    const policy = String(response.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types lathe-worker")
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
  })

  it('is revalidated each time by its ETag', async () => {
    const first = await get('/')
    expect(first.headers['cache-control']).toBe('no-cache')
    const second = await get('/', { 'if-none-match': String(first.headers.etag) })
    expect(second.statusCode).toBe(304)
  })

  it('has immutable files, compressed if the browser supports it', async () => {
    const plain = await get('/assets/main-abc.js')
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toContain('javascript')
    const small = await get('/assets/main-abc.js', { 'accept-encoding': 'br' })
    expect([small.headers['content-encoding'], small.body]).toEqual(['br', 'compressed'])
    expect(small.headers.vary).toContain('accept-encoding')
  })

  it.each([
    '/assets/none.js',
    '/assets/..%2findex.html',
    '/.vite/manifest.json',
    '/assets/main-abc.js.br',
    '/nothing',
    '/v1/nothing',
  ])('answers %s with the 404 of the API', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ errorCode: 'not_found' })
  })

  it('reports first how and where to sign in', async () => {
    const publicUrl = 'https://lathe.test'
    expect((await get('/settings.json')).json()).toEqual({
      ...{ hasAccounts: false, maxFileBytes: 10 * 1024 ** 3 },
      publicUrl,
    })
  })

  it('is not counted against the limit of an address, which a page with its files would use up', async () => {
    for (const _ of [1, 2, 3, 4]) expect((await get('/icon.svg')).statusCode).toBe(200)
  })
})

it('has no pages where the web app was not built', async () => {
  await using bare = await startApi({ http: { webDir: join(folder, 'nowhere') } })
  const response = await bare.app.inject({ url: '/' })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ errorCode: 'not_found' })
})
