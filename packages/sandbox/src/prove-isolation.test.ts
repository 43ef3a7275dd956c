import { describe, expect, it } from 'vitest'
import type { EvilEnd } from './evil-engine.ts'
import { profiles } from './profiles.ts'
import { type Concessions, onePerSandbox, proveIsolation } from './prove-isolation.ts'
import type { Host } from './start-process.ts'

const holds: EvilEnd = { ran: true, faults: [] }
const leaks: EvilEnd = { ran: true, faults: ['the engine can connect'] }
const noUsers: EvilEnd = {
  ran: false,
  faults: ['the evil engine did not run: No permissions to create a new namespace'],
}
const noName: EvilEnd = {
  ran: false,
  faults: ["the evil engine did not run: bwrap: Can't set hostname to lathe: Operation not permitted"],
}
const noProc: EvilEnd = { ran: false, faults: ["the evil engine did not run: Can't mount proc on /newroot/proc"] }

const cgroups = { limitsCpu: true } as NonNullable<Host['cgroups']>
const base = {
  engineRoot: '/roots/a',
  identity: { uid: 7, gid: 7 },
  inherited: [],
  hardLimits: {},
  rulesKernel: false,
  cgroups,
  architecture: 'x64',
  processes: 64,
  tmpBytes: 1,
} as const

async function prove(end: (host: Host) => EvilEnd, more: Partial<Concessions> = {}, of: Partial<Host> = {}) {
  const tried: Host[] = []
  const proof = await proveIsolation<Host>({ ...base, ...of }, { allowInsecure: false, ...more }, async (host) => {
    tried.push(host)
    return end(host)
  })
  return { proof, tried }
}

describe('the level of isolation', () => {
  it('is 3 if everything is available', async () => {
    const { proof, tried } = await prove(() => holds)
    expect(proof).toMatchObject({ level: 3, missing: [], faults: [] })
    expect(tried).toHaveLength(1)
  })

  it.each<[string, Partial<Host>]>([
    ['cgroup', { cgroups: undefined }],
    ['cpu limit', { cgroups: { ...cgroups, limitsCpu: false } }],
    ['uid of its own', { identity: undefined }],
    ['worker without power over the kernel', { rulesKernel: true }],
  ])('is 2 without a %s, which is reported', async (missing, host) => {
    const { proof } = await prove(() => holds, {}, host)
    expect(proof).toMatchObject({ level: 2, missing: [missing] })
  })

  it('is 2 if /proc cannot be mounted', async () => {
    const { proof } = await prove(({ privateProc }) => (privateProc ? noProc : holds))
    expect(proof).toMatchObject({ level: 2, missing: ['private /proc'], host: { privateProc: false } })
  })

  it('is found without a host name, and then without /proc, if a container allows neither', async () => {
    const { proof, tried } = await prove((host) => (host.ownHostname ? noName : host.privateProc ? noProc : holds))
    expect(proof).toMatchObject({ level: 2, missing: ['private /proc'], host: { ownHostname: false } })
    expect(tried).toHaveLength(3)
    expect((await prove((host) => (host.ownHostname ? noName : holds))).proof).toMatchObject({ level: 3 })
  })

  it('requires /proc otherwise', async () => {
    const { proof } = await prove(({ privateProc }) => (privateProc ? leaks : holds))
    expect(proof).toEqual({ faults: leaks.faults })
  })

  it('is 1 with a runtime that isolates, and only if bwrap does not', async () => {
    const vm = { runtime: '/usr/local/bin/vm' }
    const { proof } = await prove(({ builder }) => (builder === vm.runtime ? holds : noUsers), vm)
    expect(proof).toMatchObject({ level: 1, host: { builder: vm.runtime } })
    expect((await prove(() => holds, vm)).proof).toMatchObject({ level: 3 })
  })

  it('is undefined with a trusted runtime that leaks', async () => {
    const vm = { runtime: '/usr/local/bin/vm' }
    const { proof } = await prove(({ builder }) => (builder === vm.runtime ? leaks : noUsers), vm)
    expect(proof).toEqual({ faults: [...noUsers.faults, ...leaks.faults] })
  })

  it('is undefined if nothing isolates', async () => {
    expect((await prove(() => leaks)).proof).toEqual({ faults: leaks.faults })
    expect((await prove(() => noUsers)).proof).toEqual({ faults: noUsers.faults })
  })

  it('is 0, naming what leaks, only if insecure operation is allowed', async () => {
    const { proof } = await prove(() => leaks, { allowInsecure: true })
    expect(proof).toMatchObject({ level: 0, faults: leaks.faults })
    expect((await prove(() => noUsers, { allowInsecure: true })).proof).toEqual({ faults: noUsers.faults })
  })
})

describe('the tested profiles', () => {
  const [plain] = profiles
  if (!plain) throw new Error('there is no profile')

  it('are one of those that differ in amounts alone', () => {
    const lighter = { ...plain, name: 'lighter', memoryBytes: 1, tmpBytes: 1, cpus: 1 }
    expect(onePerSandbox([plain, lighter])).toHaveLength(1)
  })

  it.each([
    ['parts of the root', { parts: [...plain.parts, 'etc/more'] }],
    ['hidden programs', { hides: ['usr/bin/gs'] }],
    ['variables', { env: { MORE: '1' } }],
    ['processes', { processes: plain.processes + 1 }],
    ['system calls', { seccomp: { datagrams: false } }],
  ])('are both of two with different %s', (_, difference) => {
    const other = { ...plain, name: 'other', ...difference }
    expect(onePerSandbox([plain, other])).toEqual([plain, other])
  })

  it('build every sandbox that an engine runs in', () => {
    const built = onePerSandbox(profiles)
    for (const { parts, hides, env, processes, seccomp } of profiles) {
      expect(built).toContainEqual(expect.objectContaining({ parts, hides, processes, seccomp, ...(env && { env }) }))
    }
  })
})
