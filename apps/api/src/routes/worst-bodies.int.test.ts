import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type RequestOptions, request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { findFreePort, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, ownPage } from '../testing/browser.ts'
import { newPerson } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import { allTargets, type Target, worstBodies } from '../testing/worst-bodies.ts'

const targets = allTargets()
const bodies = new Map(targets.map(({ limit }) => [limit, worstBodies(limit)]))
const json = 'application/json'
let api: TestApi
let token: string
let browser: Browser

beforeAll(async () => {
  api = await startApi({
    env: { ACCOUNTS_MODE: 'accounts', SIGN_INS_PER_ADDRESS: '100000', RATE_LIMIT_TASKS: '100000' },
  })
  const person = await newPerson(api, 'Mallory', { isAdmin: true })
  browser = person.browser
  token = await browser.token()
})
afterAll(() => api[Symbol.asyncDispose]())

function headersFor(url: string, type: string): Record<string, string> {
  const who = url.startsWith('/auth')
    ? { ...ownPage, cookie: browser.cookie ?? '' }
    : { authorization: `Bearer ${token}` }
  const accept = url === '/mcp' ? `${json}, text/event-stream` : json
  return { ...who, accept, 'content-type': type, 'tus-resumable': '1.0.0' }
}

/** The processor time of the longest turn of the event loop during `work`: for so long nobody else was served. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  let longest = 0
  while (!isDone) {
    const before = process.threadCpuUsage()
    await setImmediate()
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
  }
  await done
  return longest
}

describe('the worst body', () => {
  it.each(targets)('to $method $url holds up nobody', async ({ method, url, limit }) => {
    const send = (type: string, payload: Buffer | string) =>
      api.app.inject({ method: method as 'POST', url, headers: headersFor(url, type), payload })
    // Loads and compiles what the first request of a process does.
    await send(json, '{}')
    const slow: string[] = []
    for (const [name, body] of bodies.get(limit) ?? []) {
      // A second time, because something else of this process may have fallen into the first.
      const turn = () => longestTurn(() => send(json, body))
      const ms = await turn()
      if (ms > 200 && (await turn()) > 200) slow.push(`${name}: ${Math.round(ms)} ms`)
    }
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const body = Buffer.from(type.startsWith('multipart') ? manyParts : 'a=&'.repeat(20_000))
      const ms = await longestTurn(() => send(type, body))
      if (ms > 200) slow.push(`${type}: ${Math.round(ms)} ms`)
    }
    expect(slow).toEqual([])
  })

  it('to sign in a program is not even read where nobody can sign in', async () => {
    await using closed = await startApi()
    for (const url of ['/v1/device/authorize', '/v1/device/token']) {
      const answer = await closed.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': json },
        payload: '{"a":',
      })
      expect(answer.json()).toMatchObject({ errorCode: 'device_login_off' })
    }
  })
})

const manyParts = `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(2000)}--x--\r\n`

/** Sends a body from the buffer it is in. Returns the status, 0 if the connection was closed on the sender. */
async function post(url: URL, options: RequestOptions, body: Buffer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const sent = request(url, { ...options, agent: false })
  sent.on('response', (response) => {
    resolve(response.statusCode ?? 0)
    sent.destroy()
  })
  sent.on('error', () => resolve(0))
  sent.end(body)
  return promise
}

describe('an api with 1 GiB of memory', () => {
  let child: ChildProcess | undefined
  afterAll(async () => {
    if (!child || child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  it('survives the worst bodies to all routes at the same time', { timeout: 300_000 }, async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`
    const env = { ...api.env, PATH: process.env.PATH, HTTP_PORT: new URL(url).port, METRICS_PORT: '0' }
    const main = new URL('../main.ts', import.meta.url).pathname
    // What Node chooses by itself in a container of 1 GiB.
    child = spawn(process.execPath, ['--max-old-space-size=560', main], { env, stdio: 'ignore' })
    const isUp = async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok
    await waitFor(isUp, { withinMs: 60_000, what: 'an answer of the api' })

    const refused: string[] = []
    const broken: string[] = []
    const send = async ({ method, url: path }: Target, body: Buffer) => {
      const status = await post(new URL(path, url), { method, headers: headersFor(path, json) }, body)
      if (status === 400) refused.push(path)
      // /readyz says that the database is busy, if it is.
      if (status >= 500 && path !== '/readyz') broken.push(`${status} ${method} ${path}`)
    }
    await Promise.all(
      targets.map(async (target) => {
        const own = [...(bodies.get(target.limit)?.values() ?? [])]
        // What may be large comes all at once, everything else in turn: this process has no more memory than the api.
        if (target.limit > 1024 ** 2) await Promise.all(own.map((body) => send(target, body)))
        else for (const body of own) await send(target, body)
      }),
    )

    expect(child.exitCode).toBeNull()
    expect(await isUp()).toBe(true)
    const [, peak = 'unknown'] = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8')) ?? []
    expect(Number(peak)).toBeLessThan(1024 ** 2)
    expect(broken).toEqual([])
    // Not all of them were refused before they were read.
    expect(refused.length).toBeGreaterThan(100)
  })
})
