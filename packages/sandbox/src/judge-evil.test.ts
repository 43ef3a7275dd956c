import { describe, expect, it } from 'vitest'
import { enclosedEnv } from './bwrap-arguments.ts'
import { type EvilFacts, judgeEvil, privateNamespaces } from './judge-evil.ts'

const refused = { refused: 'EROFS' }
const inside = Object.fromEntries(privateNamespaces.map((name) => [name, `${name}:[2]`]))
const namespaces = Object.fromEntries(privateNamespaces.map((name) => [name, `${name}:[1]`]))
const attempts = [{ name: 'ptrace', number: 101, args: [], errno: 1 }] as const
const expected = { privateProc: true, namespaces, attempts, processes: 64 }
const status = 'CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n'
const good: EvilFacts = {
  uid: 65_534,
  env: Object.keys(enclosedEnv),
  environs: [...Object.keys(enclosedEnv), 'PWD'],
  status,
  interfaces: ['lo'],
  processes: ['1', '2'],
  namespaces: inside,
  devices: ['null', 'zero'],
  reads: { '/scratch/canary': { refused: 'ENOENT' } },
  writes: { '/': refused, '/usr': refused },
  links: { '/scratch/canary': { refused: 'ENOENT' } },
  job: 'written',
  tmp: 'written',
  oversize: { refused: 'EFBIG' },
  connects: { tcp4: 'EAFNOSUPPORT', path: 'ENOENT' },
  datagram: 'EAFNOSUPPORT',
  lookup: 'ECONNREFUSED',
  calls: { ptrace: 1 },
  forks: 52,
}

describe('the judge of the evil engine', () => {
  it('accepts a sandbox that isolates', () => {
    expect(judgeEvil(good, expected)).toEqual([])
  })

  it.each<[string, Partial<EvilFacts>]>([
    ['root inside', { uid: 0 }],
    ['a variable of the worker', { env: [...Object.keys(enclosedEnv), 'DATABASE_URL'] }],
    ['a variable of another process', { environs: ['LATHE_SECRET'] }],
    ['a capability', { status: status.replace('CapEff:\t0', 'CapEff:\t1') }],
    ['privileges to gain', { status: status.replace('Privs:\t1', 'Privs:\t0') }],
    ['no filter', { status: status.replace('Seccomp:\t2', 'Seccomp:\t0') }],
    ['a network interface', { interfaces: ['lo', 'eth0'] }],
    ['the processes of the host', { processes: Array.from({ length: 40 }, String) }],
    ['a shared namespace', { namespaces: { ...inside, net: 'net:[1]' } }],
    ['a device', { devices: ['null', 'kvm'] }],
    ['a canary that was read', { reads: { '/scratch/canary': 'read' } }],
    ['a file written outside', { writes: { '/': refused, '/usr': 'written' } }],
    ['a file written through a link', { links: { '/scratch/canary': 'written' } }],
    ['no way to write to its own folder', { job: refused }],
    ['a file beyond its limit', { oversize: 'written' }],
    ['a connection', { connects: { tcp4: 'connected' } }],
    ['a connection past the network', { connects: { abstract: 'connected' } }],
    ['a datagram that went out', { datagram: 'sent' }],
    ['a name that was looked up', { lookup: 'answered' }],
    ['a system call that went through', { calls: { ptrace: 'done' } }],
    ['a system call that the kernel refused, not the filter', { calls: { ptrace: 14 } }],
    ['a system call that was not tried', { calls: {} }],
    ['processes beyond their limit', { forks: 80 }],
  ])('finds exactly one fault in a sandbox with %s', (_, change) => {
    expect(judgeEvil({ ...good, ...change }, expected)).toHaveLength(1)
  })

  it('treats unreadable results as a fault', () => {
    for (const name of Object.keys(good)) {
      const missing = {
        ...good,
        [name]: typeof good[name as keyof EvilFacts] === 'object' ? { x: undefined } : undefined,
      }
      expect([name, judgeEvil(missing, expected).length > 0]).toEqual([name, true])
    }
  })

  it('ignores a missing /proc, and namespaces of another machine', () => {
    const withoutProc = { ...good, status: refused, interfaces: refused, processes: refused, environs: refused }
    expect(judgeEvil(withoutProc, { ...expected, privateProc: false })).toEqual([])
    expect(judgeEvil(good, { ...expected, namespaces: undefined })).toEqual([])
  })
})
