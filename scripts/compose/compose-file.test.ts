import { readFileSync } from 'node:fs'
import { purposesOf } from '@lathe/runtime'
import { expect, it } from 'vitest'
import { envText } from '../admin/env-file.ts'
import { interpolate, parseCompose, parseEnv, startOrder } from './compose-file.ts'

const text = readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8')
const env = parseEnv(envText({ host: 'files.example.org', registry: 'localhost', version: '1.0.0' }))
const compose = parseCompose(text, env)
const services = Object.entries(compose.services)

it('fills in variables, defaults and complaints', () => {
  const word = (inside: string) => interpolate(`\${${inside}}`, { SET: 'yes', EMPTY: '' })
  expect(word('SET')).toBe('yes')
  expect(word('SET:-no')).toBe('yes')
  expect(word('EMPTY:-no')).toBe('no')
  expect(word('MISSING')).toBe('')
  expect(() => word('MISSING:?run lathe init')).toThrow('MISSING is not set: run lathe init')
})

const secrets = ['POSTGRES_PASSWORD', 'VALKEY_PASSWORD', 'GRAFANA_PASSWORD', 'GARAGE_RPC_SECRET']
const keys = ['LATHE_KEYS_API', 'LATHE_KEYS_SCHEDULER', 'LATHE_KEYS_WORKER']

it.each([...secrets, ...keys, 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])('starts nothing without %s', (name) => {
  expect(() => parseCompose(text, { ...env, [name]: '' })).toThrow(`${name} is not set`)
})

it('gives no service an empty secret', () => {
  const values = services.flatMap(([, { environment = {} }]) => Object.entries(environment))
  const named = values.filter(([name]) => /PASSWORD|SECRET|ACCESS_KEY|LATHE_KEYS/.test(name))
  expect(named.length).toBeGreaterThan(secrets.length)
  for (const [name, value] of named) expect(value, name).not.toBe('')
})

it('gives each process the keys it needs, and none the secret that they come from', () => {
  const keysOf = (name: string) => compose.services[name]?.environment?.LATHE_KEYS ?? expect.fail()
  const purposes = (name: string) => [...keysOf(name).matchAll(/([a-z-]+)=/g)].map(([, purpose]) => purpose)
  for (const [name, environment] of services.map(([name, { environment = {} }]) => [name, environment] as const))
    expect(Object.values(environment), name).not.toContain(env.LATHE_SECRET)
  for (const role of ['api', 'scheduler', 'worker'] as const) expect(purposes(role)).toEqual(purposesOf[role])
  expect(purposes('worker')).toEqual(['credentials'])
  // A backup has a check value of each key.
  expect(purposes('migrate')).toEqual(purposesOf.api)
})

it('finds out whether a store can be used without a shell, which the image of Garage lacks', () => {
  expect(compose.services.garage?.healthcheck?.test?.slice(0, 2)).toEqual(['CMD', '/garage'])
})

it('starts a service after those it waits for, and no optional ones', () => {
  const order = startOrder(compose)
  expect(order.indexOf('postgres')).toBeLessThan(order.indexOf('migrate'))
  expect(order.indexOf('migrate')).toBeLessThan(order.indexOf('worker'))
  expect(order.indexOf('api')).toBeLessThan(order.indexOf('caddy'))
  expect(order).not.toContain('grafana')
})

const foreign = services.filter(([, { image = '' }]) => !image.startsWith('localhost/'))

it('names the images of others by version and digest', () => {
  const names = ['caddy', 'garage', 'grafana', 'postgres', 'prometheus', 'valkey']
  expect(foreign.map(([name]) => name).sort()).toEqual(names)
  for (const [name, { image }] of foreign)
    expect(image, name).toMatch(/^docker\.io\/[a-z/]+:v?\d+(\.\d+)+@sha256:[0-9a-f]{64}$/)
})

it.each(services)('limits the memory of %s', (_, { mem_limit }) => {
  expect(mem_limit).toMatch(/^\d+[mg]$/)
})

it.each(['migrate', 'api', 'scheduler', 'worker'])('runs %s without rights on a root it cannot write to', (name) => {
  const { user, cap_drop, security_opt, read_only } = compose.services[name] ?? expect.fail()
  expect({ user, cap_drop, read_only }).toEqual({ user: '1000:1000', cap_drop: ['ALL'], read_only: true })
  expect(security_opt).toContain('no-new-privileges:true')
})

it('gives a worker longer to stop than its tasks get', () => {
  expect(Number.parseInt(compose.services.worker?.stop_grace_period ?? '', 10)).toBeGreaterThan(25 + 10)
})

it('lets only the proxy and the api into the network whose headers are trusted', () => {
  const onFront = services.filter(([, { networks }]) => networks.includes('front')).map(([name]) => name)
  expect(onFront.sort()).toEqual(['api', 'caddy'])
})

it('lets the proxy reach the api by that network alone, so that its word on HTTPS is believed', () => {
  const { api, caddy } = compose.services
  expect(caddy?.networks.filter((network) => api?.networks.includes(network))).toEqual(['front'])
})
