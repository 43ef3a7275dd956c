import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Account, ApiKeyList, DeviceLogin, DeviceToken } from '@lathe/contract'
import { type Stack, startStack, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { stack as shared } from '../scenario.ts'
import { startLogin } from '../start-login.ts'

const email = 'ada@example.com'
let stack: Stack
let home: string
/** What the browser of the person who is signed in sends. */
let headers: Record<string, string>
let ownerId: string

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'lathe-login-'))
  const env = { ACCOUNTS_MODE: 'accounts' }
  stack = await startStack({ workers: 0, schedulers: 0, storage: 'disk', env })
  const program = new URL('../../../scripts/admin.ts', import.meta.url).pathname
  const args = [program, 'create-user', '--name', 'Ada', '--email', email, '--json']
  const admin = { PATH: process.env.PATH, DATABASE_URL: stack.databaseUrl, LATHE_SECRET: stack.secret }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: admin })
  headers = { origin: stack.url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const answer = await decide('sign-in', { email, password: JSON.parse(stdout).password })
  headers = { ...headers, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  ownerId = ((await answer.json()) as { user: { id: string } }).user.id
}, 120_000)
afterAll(async () => {
  await stack[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

const decide = (path: string, body: object) =>
  fetch(`${stack.url}/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })

it('a program gets a key over HTTP when its sign-in was approved', async () => {
  const api = createClient({ url: stack.url, recordFile: shared.recordFile })
  const { body: login } = await api.post<DeviceLogin>('/v1/device/authorize', { client_name: 'a script' })
  const poll = { json: { device_code: login.device_code } }
  expect((await api.refused('POST', '/v1/device/token', poll)).errorCode).toBe('authorization_pending')
  expect((await decide('device/approve', { userCode: login.user_code, ownerId })).status).toBe(204)
  const { body: token } = await api.post<DeviceToken>('/v1/device/token', poll.json)
  const own = api.withKey(token.access_token)
  expect((await own.get<Account>('/v1/account')).body.name).toBe('Ada')
  expect((await api.refused('POST', '/v1/device/token', poll)).errorCode).toBe('expired_token')
})

it('lathe login waits for the approval, and stores the key readable by its owner only', async () => {
  using login = await startLogin(stack.url, home, ['--profile', 'work'])
  expect((await decide('device/approve', { userCode: login.userCode, ownerId })).status).toBe(204)
  expect([await login.ended, login.written.out]).toEqual([0, ''])
  expect(login.written.err).toContain('Signed in as Ada.')
  const file = join(home, '.config/lathe/profiles.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { work } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { url: string; key: string }>
  expect(work?.url).toBe(stack.url)
  expect(login.written.err).not.toContain(work?.key)
  const own = createClient({ url: stack.url, key: work?.key, recordFile: shared.recordFile })
  const { keys } = (await own.get<ApiKeyList>('/v1/account/keys')).body
  expect(keys.map(({ name }) => name)).toContain(`lathe on ${hostname()}`)
})

it('lathe login ends with 3 when it was denied, and with 130 when it is interrupted', async () => {
  using denied = await startLogin(stack.url, home)
  expect((await decide('device/deny', { userCode: denied.userCode })).status).toBe(204)
  expect(await denied.ended).toBe(3)
  expect(denied.written.err).toContain('denied')
  using interrupted = await startLogin(stack.url, home, ['--no-browser'])
  interrupted.interrupt()
  expect(await interrupted.ended).toBe(130)
})

it('in a terminal, lathe login opens the page, shows that it waits, and ends with Ctrl-C', async () => {
  if (!existsSync('/usr/bin/script')) return console.log('script is not there')
  const [bin, opened] = [join(home, 'bin'), join(home, 'opened')]
  mkdirSync(bin)
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 })
  const program = new URL('../../../apps/cli/src/main.ts', import.meta.url).pathname
  const command = `${process.execPath} ${program} login --url ${stack.url}`
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, TERM: 'xterm', DISPLAY: ':99' }
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: home, env })
  const shown = text(child.stdout)
  await waitFor(async () => existsSync(opened) && readFileSync(opened).length > 0, { withinMs: 30_000, what: 'a page' })
  child.stdin.write('\x03')
  await once(child, 'close')
  expect(child.exitCode).toBe(130)
  expect(await shown).toContain('Waiting for approval')
  expect(await shown).toContain(readFileSync(opened, 'utf8'))
})
