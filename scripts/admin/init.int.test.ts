import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
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

it('writes everything the compose file asks for, with secrets only its owner can read', () => {
  initInstallation({ host: 'files.example.org', into })
  const compose = readFileSync(join(into, 'compose.yaml'), 'utf8')
  const required = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? '')
  expect(required.length).toBeGreaterThan(4)
  for (const name of required) expect(settings()[name], name).toMatch(/./)
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

it('wants a host name', () => {
  expect(() => initInstallation({ into })).toThrow(/--host/)
  expect(() => initInstallation({ host: 'a b$(c)', into })).toThrow(/--host/)
})
