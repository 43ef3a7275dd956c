import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { envText } from '../admin/env-file.ts'
import { parseCompose, parseEnv } from './compose-file.ts'
import { runArguments } from './to-podman.ts'

const text = readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8')
const { services } = parseCompose(
  text,
  parseEnv(envText({ host: 'localhost', registry: 'localhost', version: '1.0.0' })),
)
const addresses = { data: { worker: '10.0.1.2', postgres: '10.0.1.3' }, out: { worker: '10.0.2.2', caddy: '10.0.2.3' } }
const project = { name: 'test', folder: '/srv/lathe', alsoStarted: [], addresses }
const argumentsOf = (name: string) => runArguments(project, name, services[name] ?? expect.fail()).join(' ')

it('gives a worker what its sandboxes need, and no more', () => {
  const said = argumentsOf('worker')
  expect(said).toContain('--user 1000:1000 --cap-drop ALL --security-opt no-new-privileges')
  expect(said).toContain('--security-opt seccomp=/srv/lathe/seccomp-worker.json --security-opt unmask=ALL --read-only')
  expect(said).not.toContain('--privileged')
  expect(argumentsOf('api')).not.toContain('unmask')
})

it('connects it to its networks and to those it meets there', () => {
  expect(argumentsOf('worker')).toContain('--network test-data:ip=10.0.1.2 --network test-out:ip=10.0.2.2')
  expect(argumentsOf('worker')).toContain('--add-host postgres:10.0.1.3 --add-host caddy:10.0.2.3')
})

it('keeps volumes apart from those of other projects', () => {
  expect(argumentsOf('postgres')).toContain('--volume test-postgres:/var/lib/postgresql/data')
  expect(argumentsOf('caddy')).toContain('--volume /srv/lathe/Caddyfile:/etc/caddy/Caddyfile:ro')
})

it('refuses what it cannot translate', () => {
  const odd = { ...(services.api ?? expect.fail()), security_opt: ['label=disable'] }
  expect(() => runArguments(project, 'api', odd)).toThrow('label=disable')
})

it('asks after the health of a service by its own program', () => {
  expect(argumentsOf('postgres')).toContain('--health-cmd ["pg_isready","-q",')
})
