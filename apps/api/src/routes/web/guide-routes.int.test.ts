import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let folder: string
let api: TestApi

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-guide-'))
  await mkdir(join(folder, 'jobs'))
  await mkdir(join(folder, '_astro'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Guide</title>')
  await writeFile(join(folder, '404.html'), '<!doctype html><title>Not found</title>')
  await writeFile(join(folder, 'jobs/index.html'), '<!doctype html><title>Jobs</title>')
  await writeFile(join(folder, 'jobs.md'), '# Jobs')
  await writeFile(join(folder, '_astro/page.abc.js'), 'export {}')
  await writeFile(join(folder, '_astro/page.abc.js.br'), 'compressed')
  api = await startApi({ http: { guideDir: folder, webDir: join(folder, 'nowhere'), perAddress: 2 } })
})

afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => api.app.inject({ url, headers })

it.each([
  ['/guide/', 'Guide'],
  ['/guide/jobs/', 'Jobs'],
])('sends %s under a policy that allows files of this origin only', async (url, title) => {
  const response = await get(url)
  expect([response.statusCode, response.body]).toEqual([200, `<!doctype html><title>${title}</title>`])
  expect(response.headers['cache-control']).toBe('no-cache')
  const policy = String(response.headers['content-security-policy'])
  expect(policy).toContain(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self';",
  )
  expect(policy).not.toMatch(/'unsafe-|https?:|\*/)
})

it.each([
  ['/guide', '/guide/'],
  ['/guide/jobs', '/guide/jobs/'],
])('redirects %s to %s', async (url, target) => {
  const { statusCode, headers } = await get(url)
  expect([statusCode, headers.location]).toEqual([308, target])
})

it('sends the Markdown version of a page as Markdown', async () => {
  const { body, headers } = await get('/guide/jobs.md')
  expect([body, headers['content-type']]).toEqual(['# Jobs', 'text/markdown; charset=utf-8'])
})

it('sends files with a hash in their name compressed, and for a year', async () => {
  const { body, headers } = await get('/guide/_astro/page.abc.js', { 'accept-encoding': 'br' })
  expect([body, headers['content-encoding']]).toEqual(['compressed', 'br'])
  expect(headers['cache-control']).toContain('immutable')
})

it.each(['/guide/none/', '/guide/..%2f..%2fetc/passwd', '/guide/_astro/page.abc.js.br', '/guide/%00'])(
  'answers %s with its page for what is not there',
  async (url) => {
    const { statusCode, body } = await get(url)
    expect([statusCode, body]).toEqual([404, '<!doctype html><title>Not found</title>'])
  },
)

it('is not counted against the limit of an address', async () => {
  for (const _ of [1, 2, 3, 4]) expect((await get('/guide/')).statusCode).toBe(200)
})

it('has no pages where the guide was not built', async () => {
  await using bare = await startApi({ http: { guideDir: join(folder, 'nowhere') } })
  for (const url of ['/guide', '/guide/']) {
    const response = await bare.app.inject({ url })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ errorCode: 'not_found' })
  }
})
