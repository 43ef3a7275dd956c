import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../test/open-sandbox.ts'
import { tryEvilEngine } from './evil-engine.ts'
import type { JobFolder, StepLimits } from './index.ts'
import { profileOf, profiles } from './profiles.ts'
import { startProcess } from './start-process.ts'

const MiB = 1024 * 1024
const limits: StepLimits = { timeMs: 10_000, memoryBytes: 256 * MiB, outputBytes: 16 * MiB }
const never = new AbortController().signal
const isRoot = process.getuid?.() === 0

let open: TestSandbox
let folder: JobFolder | undefined

beforeAll(async () => {
  open = await openSandbox(64_103)
})
afterAll(() => open[Symbol.asyncDispose]())
afterEach(async () => {
  await folder?.[Symbol.asyncDispose]()
  folder = undefined
  expect(await open.processes()).toEqual([])
  expect(await open.files()).toEqual([])
})

/** A program that builds sandboxes as bwrap does, but with some of the arguments removed or changed. */
async function builder(name: string, edit: string): Promise<string> {
  const path = join(open.config.scratchDir, name)
  const script = `#!/bin/bash
out=()
while [ $# -gt 0 ]; do
  case "$1" in
    ${edit}
    --) break ;;
    *) out+=("$1"); shift ;;
  esac
done
exec env -i /usr/bin/bwrap "\${out[@]}" "$@"
`
  await writeFile(path, script)
  await chmod(path, 0o755)
  return path
}

describe.each(profiles)('the evil engine in the place of $name', (profile) => {
  it('cannot escape [A13, L-memory, L-processes]', async () => {
    const { host, scratch } = open.sandbox
    expect(await tryEvilEngine(host, scratch, profile)).toEqual({ ran: true, faults: [] })
  })
})

describe('the evil engine finds out', () => {
  // Each of these is a sandbox that a developer might build by mistake.
  it.each([
    [
      'a network',
      '--unshare-all) out+=(--unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup); shift ;;',
      /has a network[\s\S]*reached by an abstract socket/,
    ],
    [
      'no filter',
      '--seccomp) shift 2 ;;',
      /without a filter.*lets ptrace through|lets ptrace through.*without a filter/s,
    ],
    ['a descriptor', '--hostname) exec 77</etc/passwd; out+=("$1"); shift ;;', /handed descriptors: 0 1 2 3 77/],
    ['a host folder', '--bind) out+=(--ro-bind /var/tmp /var/tmp --bind); shift ;;', /can read/],
    [
      'devices',
      '--dev) out+=(--dev-bind /dev /dev); shift 2 ;; --remount-ro) shift 2 ;; --tmpfs) if [ "$2" = /dev/shm ]; then shift 2; unset "out[-1]" "out[-1]"; else out+=("$1" "$2"); shift 2; fi ;;',
      /devices/,
    ],
    ['an environment', '--clearenv) out+=(--setenv DATABASE_URL x); shift ;;', /environment/],
    ['a writable root', '--remount-ro) shift 2 ;;', /can write/],
  ])('%s', async (name, edit, fault) => {
    const { host, scratch } = open.sandbox
    const broken = { ...host, builder: await builder(`broken-${name.replaceAll(' ', '-')}`, edit) }
    const { ran, faults } = await tryEvilEngine(broken, scratch, profileOf('vips'))
    expect(ran).toBe(true)
    expect(faults.join('\n')).toMatch(fault)
  })

  it.runIf(isRoot)('that it would be root outside', async () => {
    const { host, scratch } = open.sandbox
    const ofRoot = { ...scratch, createFolder: scratch.createPassage }
    const { faults } = await tryEvilEngine({ ...host, identity: undefined }, ofRoot, profileOf('vips'))
    expect(faults).toContain('the engine acts as root outside')
  })

  it('that there is no limit to processes and memory', async () => {
    const { host, scratch } = open.sandbox
    const unlimited = { ...host, cgroups: host.cgroups && { ...host.cgroups, create: async () => noGroup } }
    const { faults } = await tryEvilEngine(unlimited, scratch, profileOf('vips'))
    expect(faults).toContain('the engine can fork beyond its limit')
    expect(faults).toContain('the engine can take memory beyond its limit')
  })

  it('nothing in a runtime that builds sandboxes as good as ours', async () => {
    const { host, scratch } = open.sandbox
    const runtime = { ...host, builder: await builder('runtime', '--never) shift ;;') }
    expect(await tryEvilEngine(runtime, scratch, profileOf('vips'))).toEqual({ ran: true, faults: [] })
  })
})

const noGroup = {
  joins: [],
  setMemory: async () => {},
  beginWork: async () => {},
  endWork: async () => {},
  memoryInUse: async () => undefined,
  ranOutOfMemory: async () => false,
  destroy: async () => {},
}

/** Runs a script as a compromised engine would. */
async function run(script: string, more: Partial<StepLimits> = {}) {
  folder = await open.sandbox.createJobFolder()
  const lines: string[] = []
  const step = { program: 'bash', args: ['-c', script], limits: { ...limits, ...more } }
  const end = await open.sandbox.run(step, { folder, signal: never, onLine: (line) => lines.push(line) })
  return { end, lines }
}

describe('an engine controlled by an attacker', () => {
  it('inherits no descriptor except its three', async () => {
    const { lines } = await run(
      'exec perl -e \'opendir D, "/proc/self/fd"; print "$_ ", readlink("/proc/self/fd/$_"), "\\n" for grep /\\d/, readdir D\'',
    )
    // 3 is the folder that perl lists.
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(['0', '1', '2', '3'])
  })

  it('runs behind a filter, with its children', async () => {
    const { lines } = await run('grep ^Seccomp: /proc/self/status; sh -c "grep ^Seccomp: /proc/self/status"')
    expect(lines).toEqual(['Seccomp:\t2', 'Seccomp:\t2'])
  })

  it('has a parent behind the same filter', async () => {
    // bwrap starts the engine before it applies the filter to itself.
    const wait = 'for n in $(seq 50); do grep -q "^Seccomp:.2" /proc/1/status && break; sleep 0.02; done'
    const { lines } = await run(`${wait}; grep ^Seccomp: /proc/1/status`)
    expect(lines).toEqual(['Seccomp:\t2'])
  })

  it('cannot call the kernel by x32 numbers', async () => {
    // x32 getpid: the number with bit 30 set.
    const { lines } = await run('perl -e \'print syscall(0x40000000 + 39) == -1 ? $! + 0 : "done", "\\n"\'')
    expect(lines).toEqual(['38'])
  })

  it('cannot fork 10,000 times [L-processes]', async () => {
    const { end, lines } = await run(
      'perl -e \'$n = 0; for (1..10000) { $p = fork; last unless defined $p; if (!$p) { sleep 30; exit } $n++ } print "$n\\n"\'',
      { timeMs: 5000 },
    )
    expect(end.kind).toBe('exited')
    expect(Number(lines[0])).toBeLessThan(64)
  })

  it('cannot have 64 GiB', async () => {
    const { end } = await run('exec perl -e \'$a[$_] = "x" x (64 << 20) for 0..1023\'', { memoryBytes: 128 * MiB })
    expect(end).toMatchObject({ kind: 'killed', by: 'memory' })
  })

  it('cannot claim a file of 1 TiB', async () => {
    const { end } = await run('truncate -s 1T big')
    expect(end).toMatchObject({ kind: 'exited' })
    expect(end.kind === 'exited' && end.code).not.toBe(0)
  })

  it('cannot fill a disk through hidden names', async () => {
    const { end } = await run(
      'mkdir -p .a/.b; while :; do head -c 1M /dev/zero > .a/.b/$RANDOM$RANDOM; sleep 0.01; done',
    )
    expect(end).toMatchObject({ kind: 'killed', by: 'disk' })
  })

  it.each([
    [
      'deleted files that it holds open',
      `perl -e 'for my $n (1..40) { open $f[$n], ">", "f$n"; unlink "f$n"; syswrite $f[$n], "x" x (1 << 20); select undef, undef, undef, 0.05 } sleep 30'`,
    ],
    [
      'deleted files that it has mapped',
      `python3 -c '
import mmap, os, time
kept = []
for n in range(40):
    f = os.open("f", os.O_RDWR | os.O_CREAT)
    os.ftruncate(f, 1 << 20)
    m = mmap.mmap(f, 1 << 20)
    os.close(f); os.unlink("f")
    m[:] = b"x" * (1 << 20)
    kept.append(m)
    time.sleep(0.05)
time.sleep(30)'`,
    ],
    [
      'paths that are longer than any path may be',
      `perl -e 'for (1..30) { mkdir "a" x 200; chdir "a" x 200 } for my $n (1..40) { open F, ">", "f$n"; syswrite F, "x" x (1 << 20); close F; select undef, undef, undef, 0.05 } sleep 30'`,
    ],
  ])('S7: cannot fill a disk through %s', { timeout: 60_000 }, async (_, script) => {
    const { end } = await run(script, { timeMs: 20_000 })
    expect(end).toMatchObject({ kind: 'killed', by: 'disk' })
  })

  it('S7: exceeds its limit only by what it writes until the next check', { timeout: 60_000 }, async () => {
    // At most 20 MiB/s, each line a MiB.
    const script = `$| = 1; for my $n (1..200) { open F, ">", "f$n"; syswrite F, "x" x (1 << 20); close F; print "$n\\n"; select undef, undef, undef, 0.05 }`
    const beyond: number[] = []
    for (let round = 0; round < 3; round++) {
      const { end, lines } = await run(`exec perl -e '${script}'`, { timeMs: 20_000 })
      expect(end).toMatchObject({ kind: 'killed', by: 'disk' })
      beyond.push(lines.length - limits.outputBytes / MiB)
      await folder?.[Symbol.asyncDispose]()
    }
    console.log(`MiB written beyond the limit at 20 MiB/s: ${beyond.join(', ')}`)
    // A look every 250 ms allows 5 MiB. A busy machine may be late by seconds; without the looks it would be all 184.
    expect(Math.max(...beyond)).toBeLessThan(100)
  })

  it('cannot make 100,000 links', async () => {
    const { end } = await run('perl -e \'symlink "/etc/passwd", "l$_" for 1..100000; sleep 30\'')
    expect(end).toMatchObject({ kind: 'killed', by: 'disk' })
  })

  it('gets no more than its share of CPU time', async () => {
    const { host, scratch } = open.sandbox
    if (!host.cgroups?.limitsCpu) return
    const path = await scratch.createFolder('job')
    const half = { ...profileOf('plain'), cpus: 0.25 }
    const burn = 'use Time::HiRes; my $end = time + 2; 1 while time < $end; my ($u, $s) = times; print $u + $s'
    const request = { profile: half, folder: path, memoryBytes: 64 * MiB, fileBytes: MiB, stdin: 'ignore' } as const
    const started = await startProcess(host, {
      ...request,
      command: ['perl', '-e', burn.replace('use Time::HiRes; ', '')],
    })
    let output = ''
    for await (const chunk of started.stdout) output += String(chunk)
    await started.ended
    await scratch.remove(path)
    expect(Number(output)).toBeGreaterThan(0)
    expect(Number(output)).toBeLessThan(1.2)
  })

  it('does not find a program its profile hides', async () => {
    const { host, scratch } = open.sandbox
    const path = await scratch.createFolder('job')
    const blind = { ...profileOf('plain'), hides: ['usr/bin/perl'] }
    const command = ['sh', '-c', 'perl -e "print 1" 2>/dev/null || echo hidden']
    const request = { profile: blind, folder: path, memoryBytes: 64 * MiB, fileBytes: MiB, stdin: 'ignore' } as const
    const started = await startProcess(host, { ...request, command })
    let output = ''
    for await (const chunk of started.stdout) output += String(chunk)
    await started.ended
    await scratch.remove(path)
    expect(output).toBe('hidden\n')
  })
})
