import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatKeys, purposesOf, type Role, readEnv, runtimeConfig, runtimeEnv } from '@lathe/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initInstallation } from './init.ts'

let into: string
beforeEach(() => {
  into = mkdtempSync(join(tmpdir(), 'lathe-init-'))
})
afterEach(() => rmSync(into, { recursive: true }))

const settings = () =>
  Object.fromEntries(
    readFileSync(join(into, '.env'), 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const required = () =>
  [...readFileSync(join(into, 'compose.yaml'), 'utf8').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? '')

it('writes everything the compose file asks for, with secrets only its owner can read', () => {
  initInstallation({ host: 'files.example.org', into })
  expect(required().length).toBeGreaterThan(4)
  for (const name of required()) expect(settings()[name], name).toMatch(/./)
  expect(statSync(join(into, '.env')).mode & 0o777).toBe(0o600)
})

it('writes every file that the compose file mounts', () => {
  initInstallation({ host: 'files.example.org', into })
  const compose = readFileSync(join(into, 'compose.yaml'), 'utf8')
  const mounted = [...compose.matchAll(/\.\/([\w./-]+):\/etc/g)].map(([, file]) => file ?? '')
  expect(mounted).toContain('prometheus/rules.yml')
  for (const file of mounted) expect(existsSync(join(into, file)), file).toBe(true)
  expect(readdirSync(into)).not.toContain('helm')
})

it('makes other secrets each time', () => {
  initInstallation({ host: 'files.example.org', into })
  const first = settings()
  rmSync(join(into, '.env'))
  initInstallation({ host: 'files.example.org', into })
  for (const name of ['LATHE_SECRET', 'POSTGRES_PASSWORD', 'VALKEY_PASSWORD']) {
    expect(settings()[name]).toHaveLength(48)
    expect(settings()[name]).not.toBe(first[name])
  }
})

it('keeps the secrets of an installation that is there', () => {
  initInstallation({ host: 'files.example.org', into })
  const before = readFileSync(join(into, '.env'), 'utf8')
  expect(() => initInstallation({ host: 'files.example.org', into })).toThrow(/is there already/)
  expect(readFileSync(join(into, '.env'), 'utf8')).toBe(before)
})

it('changes nothing of an installation but its release when it is upgraded', () => {
  expect(() => initInstallation({ into, upgrade: true })).toThrow(/has no .env/)
  initInstallation({ host: 'files.example.org', into })
  const before = readFileSync(join(into, '.env'), 'utf8')
  writeFileSync(join(into, '.env'), `${before.replace(/^LATHE_VERSION=.*$/m, 'LATHE_VERSION=0.0.1')}MINE=1\n`)
  rmSync(join(into, 'compose.yaml'))
  initInstallation({ into, upgrade: true })
  expect(readFileSync(join(into, '.env'), 'utf8')).toBe(`${before}MINE=1\n`)
  expect(existsSync(join(into, 'compose.yaml'))).toBe(true)
})

describe('an upgrade of an installation whose .env is older than a variable', () => {
  const without = (...names: readonly string[]) => {
    const env = join(into, '.env')
    const lines = readFileSync(env, 'utf8').split('\n')
    const kept = lines.filter((line) => !names.some((name) => line.startsWith(`${name}=`)))
    writeFileSync(env, kept.join('\n'))
    return kept.join('\n')
  }

  it('adds what the compose file requires, says so, and leaves the others as they are', () => {
    initInstallation({ host: 'files.example.org', into })
    const old = without('GRAFANA_PASSWORD', 'GARAGE_RPC_SECRET')
    const before = settings()
    const { data, text } = initInstallation({ into, upgrade: true })
    expect(data.added).toEqual(['GRAFANA_PASSWORD', 'GARAGE_RPC_SECRET'])
    expect(text).toContain('GRAFANA_PASSWORD, GARAGE_RPC_SECRET')
    for (const name of required()) expect(settings()[name], name).toMatch(/./)
    expect(settings()).toMatchObject(before)
    expect(readFileSync(join(into, '.env'), 'utf8').startsWith(old)).toBe(true)
    expect(statSync(join(into, '.env')).mode & 0o777).toBe(0o600)
    expect(initInstallation({ into, upgrade: true }).data.added).toEqual([])
  })

  it('leaves out what has a default there: another store may be used by it', () => {
    initInstallation({ host: 'files.example.org', into })
    const old = without('S3_ENDPOINT', 'S3_REGION')
    initInstallation({ into, upgrade: true })
    expect(readFileSync(join(into, '.env'), 'utf8')).toBe(old)
  })

  it('makes up nothing that its data depends on', () => {
    initInstallation({ host: 'files.example.org', into })
    const old = without('LATHE_SECRET')
    rmSync(join(into, 'compose.yaml'))
    expect(() => initInstallation({ into, upgrade: true })).toThrow(/has no LATHE_SECRET: restore it/)
    expect(readFileSync(join(into, '.env'), 'utf8')).toBe(old)
    expect(existsSync(join(into, 'compose.yaml'))).toBe(false)
  })
})

describe('the keys of each process', () => {
  const edit = (change: (text: string) => string) => {
    const env = join(into, '.env')
    writeFileSync(env, change(readFileSync(env, 'utf8')))
  }
  const names = ['LATHE_KEYS_API', 'LATHE_KEYS_SCHEDULER', 'LATHE_KEYS_WORKER']
  const keysOf = (role: Role, secrets: Readonly<Record<string, string>>) =>
    `'${formatKeys(runtimeConfig(readEnv(runtimeEnv, secrets)).keys, purposesOf[role])}'`
  const withoutKeys = (text: string) => text.replace(/^LATHE_KEYS_.*\n/gm, '')

  beforeEach(() => void initInstallation({ host: 'files.example.org', into }))

  it('are those of its secret', () => {
    const { LATHE_SECRET = '' } = settings()
    for (const role of ['api', 'scheduler', 'worker'] as const)
      expect(settings()[`LATHE_KEYS_${role.toUpperCase()}`]).toBe(keysOf(role, { LATHE_SECRET }))
  })

  it('are the same after an upgrade of an installation that has none', () => {
    const before = settings()
    edit(withoutKeys)
    expect(initInstallation({ into, upgrade: true }).data).toMatchObject({ added: names, derived: [] })
    expect(settings()).toEqual(before)
  })

  it('are completed by an upgrade to a release that needs one for a new purpose', () => {
    const before = settings()
    edit((text) => text.replace(/^(LATHE_KEYS_API=.*) tokens=.*$/m, "$1'"))
    expect(initInstallation({ into, upgrade: true }).data).toMatchObject({ added: [], derived: ['LATHE_KEYS_API'] })
    expect(settings()).toEqual(before)
  })

  it('are derived again when the secret is rotated, and nothing else changes', () => {
    const { LATHE_SECRET: old = '' } = settings()
    const text = readFileSync(join(into, '.env'), 'utf8')
    const next = 'n'.repeat(48)
    edit((text) => `${text.replace(`LATHE_SECRET=${old}`, `LATHE_SECRET=${next}`)}LATHE_ACCEPTED_SECRETS="${old}"\n`)
    rmSync(join(into, 'compose.yaml'))
    expect(initInstallation({ into, rekey: true }).data).toMatchObject({ added: [], derived: names })
    const secrets = { LATHE_SECRET: next, LATHE_ACCEPTED_SECRETS: old }
    expect(settings().LATHE_KEYS_WORKER).toBe(keysOf('worker', secrets))
    expect(settings().LATHE_KEYS_API).toBe(keysOf('api', secrets))
    expect(withoutKeys(readFileSync(join(into, '.env'), 'utf8'))).toBe(
      `${withoutKeys(text).replace(old, next)}LATHE_ACCEPTED_SECRETS="${old}"\n`,
    )
    expect(existsSync(join(into, 'compose.yaml'))).toBe(false)
  })

  it('are not derived from a secret that is missing or too short', () => {
    edit((text) => text.replace(/^LATHE_SECRET=.*$/m, 'LATHE_SECRET=short'))
    expect(() => initInstallation({ into, rekey: true })).toThrow('LATHE_SECRET')
    edit((text) => text.replace(/^LATHE_SECRET=.*\n/m, ''))
    expect(() => initInstallation({ into, rekey: true })).toThrow(/has no LATHE_SECRET/)
    expect(() => initInstallation({ into, rekey: true, upgrade: true })).toThrow('Choose one')
  })
})

it('wants a host name', () => {
  expect(() => initInstallation({ into })).toThrow(/--host/)
  expect(() => initInstallation({ host: 'a b$(c)', into })).toThrow(/--host/)
})
