import { describe, expect, it } from 'vitest'
import { enclosedEnv } from './bwrap-arguments.ts'
import { judgeProbe, type ProbeFacts, privateNamespaces } from './judge-probe.ts'

const refused = { refused: 'EROFS' }
const inside = Object.fromEntries(privateNamespaces.map((name) => [name, `${name}:[2]`]))
const namespaces = Object.fromEntries(privateNamespaces.map((name) => [name, `${name}:[1]`]))
const expected = { privateProc: true, namespaces }
const good: ProbeFacts = {
  uid: 65_534,
  env: Object.keys(enclosedEnv),
  status: 'CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n',
  interfaces: ['lo'],
  processes: ['1', '2'],
  namespaces: inside,
  canary: { refused: 'ENOENT' },
  writes: { '/': refused, '/usr': refused },
  job: 'written',
  tmp: 'written',
  unshare: 1,
  mount: 32,
  tcp: 'ECONNREFUSED',
  abstract: 'ECONNREFUSED',
}

describe('the judge of the probe', () => {
  it('finds nothing wrong with a sandbox that holds', () => {
    expect(judgeProbe(good, expected)).toEqual([])
  })

  it.each<[string, Partial<ProbeFacts>]>([
    ['root inside', { uid: 0 }],
    ['a variable of the worker', { env: [...Object.keys(enclosedEnv), 'DATABASE_URL'] }],
    ['a capability', { status: good.status?.toString().replace('CapEff:\t0', 'CapEff:\t1') }],
    ['privileges to gain', { status: good.status?.toString().replace('Privs:\t1', 'Privs:\t0') }],
    ['a network interface', { interfaces: ['lo', 'eth0'] }],
    ['the processes of the host', { processes: Array.from({ length: 40 }, String) }],
    ['a shared namespace', { namespaces: { ...inside, net: 'net:[1]' } }],
    ['a canary that was read', { canary: 'read' }],
    ['a file written outside', { writes: { '/': refused, '/usr': 'written' } }],
    ['no way to write to its own folder', { job: refused }],
    ['user namespaces', { unshare: 0 }],
    ['mounts', { mount: 0 }],
    ['a connection', { tcp: 'connected' }],
    ['a connection past the network', { abstract: 'connected' }],
  ])('finds exactly one fault in a sandbox with %s', (_, change) => {
    expect(judgeProbe({ ...good, ...change }, expected)).toHaveLength(1)
  })

  it('takes what it cannot read for a fault', () => {
    expect(judgeProbe({ ...good, status: refused }, expected)).not.toEqual([])
  })
})
