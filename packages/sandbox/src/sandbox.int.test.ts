import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../test/open-sandbox.ts'
import { createSandbox, type JobFolder, type RunEnd, type StepLimits } from './index.ts'

const MiB = 1024 * 1024
const limits: StepLimits = { timeMs: 10_000, memoryBytes: 256 * MiB, outputBytes: 16 * MiB }
const never = new AbortController().signal

let open: TestSandbox
let folder: JobFolder

beforeAll(async () => {
  open = await openSandbox(64_101)
})
afterAll(() => open[Symbol.asyncDispose]())

/** Runs a script as a compromised engine would. */
async function run(script: string, more: Partial<StepLimits> = {}, signal = never): Promise<RunEnd> {
  folder = await open.sandbox.createJobFolder()
  const step = { program: 'bash', args: ['-c', script], limits: { ...limits, ...more } }
  return open.sandbox.run(step, { folder, signal })
}

afterEach(async () => {
  await folder?.[Symbol.asyncDispose]()
  expect(await open.processes()).toEqual([])
  expect(await open.files()).toEqual([])
})

describe('a sandbox that is opened', () => {
  it('has passed its check and reports what it is built on', () => {
    const { level, report } = open.sandbox
    expect(level).toBe(report.missing.length === 0 ? 3 : 2)
    expect(report.faults).toEqual([])
    expect(report.manifest).toMatchObject({ suite: 'trixie' })
  })

  it('is refused without an engine root', async () => {
    const config = { ...open.config, engineRoot: '/nonexistent' }
    await expect(createSandbox(config)).rejects.toMatchObject({ name: 'SandboxUnavailable' })
  })
})

describe('a program in the sandbox', () => {
  it('reads its inputs, writes its outputs and reports its progress', async () => {
    folder = await open.sandbox.createJobFolder()
    await using input = await folder.createFile('in-0.txt')
    await input.writeFile('hello')
    const lines: string[] = []
    const step = { program: 'sh', args: ['-c', 'echo half; tr a-z A-Z < in-0.txt > out-0.txt'], limits }
    const end = await open.sandbox.run(step, { folder, signal: never, onLine: (line) => lines.push(line) })
    expect(end).toEqual({ kind: 'exited', code: 0, stderr: '' })
    expect(lines).toEqual(['half'])
    const output = await open.sandbox.openOutput(folder, 'out-0.txt')
    if ('kind' in output) throw new Error(output.detail)
    expect(output.size).toBe(5)
    expect(await text(output.stream())).toBe('HELLO')
    await output[Symbol.asyncDispose]()
  })

  it('sees neither the files, nor the environment, nor the processes of the host', async () => {
    const end = await run(
      'ls -d /work /root /home /srv /sys 2>/dev/null; env >&2; ls /proc | grep -c "^[0-9]" >&2; exit 7',
    )
    expect(end).toMatchObject({ kind: 'exited', code: 7 })
    expect(end.stderr).not.toMatch(/HOME=\/root|NODE|VITEST/)
    expect(Number(end.stderr.trim().split('\n').at(-1))).toBeLessThan(8)
  })

  it('cannot signal, trace or gain anything', async () => {
    const script =
      'unshare -n true || echo no-unshare >&2; mount -t tmpfs x /tmp 2>/dev/null || echo no-mount >&2; su -c true 2>/dev/null || echo no-su >&2'
    const { stderr } = await run(script)
    expect(stderr).toMatch(/no-unshare[\s\S]*no-mount[\s\S]*no-su/)
  })
})

describe('a hostile program', () => {
  it('that forks endlessly is limited and gone within 2 s of its deadline [L-time]', async () => {
    const startedAt = performance.now()
    const end = await run('f() { f | f & }; f; while :; do :; done', { timeMs: 1000 })
    expect(end).toMatchObject({ kind: 'killed', by: 'time' })
    expect(performance.now() - startedAt).toBeLessThan(3000)
  })

  it('that writes 1 GiB is stopped at its file limit [L-output]', async () => {
    const end = await run('exec dd if=/dev/zero of=/job/big bs=1M count=1024')
    expect(end).toMatchObject({ kind: 'exited', code: 153 })
  })

  it('that writes many files is stopped at their total size, and at their number [L-output]', async () => {
    const bytes = await run('for n in $(seq 1000); do head -c 1M /dev/zero > f$n; sleep 0.01; done')
    expect(bytes).toMatchObject({ kind: 'killed', by: 'disk' })
    await folder[Symbol.asyncDispose]()
    const entries = await run('n=0; while :; do : > f$n; n=$((n+1)); done')
    expect(entries).toMatchObject({ kind: 'killed', by: 'disk' })
    await folder[Symbol.asyncDispose]()
    // Faster than the watch: checked when it has ended.
    expect(await run('truncate -s 10M a b c')).toMatchObject({ kind: 'killed', by: 'disk' })
  })

  it('that fills its /tmp finds it full', async () => {
    const end = await run('head -c 1G /dev/zero > /tmp/big', { outputBytes: 256 * MiB, memoryBytes: 512 * MiB })
    expect(end).toMatchObject({ kind: 'exited', code: 1 })
    expect(end.stderr).toMatch(/No space left/)
  })

  it('that takes all memory is killed for it [L-memory]', async () => {
    const end = await run('exec tail /dev/zero', { memoryBytes: 64 * MiB })
    expect(end).toMatchObject({ kind: 'killed', by: 'memory' })
  })

  it('that floods its standard error is drained, and its last 64 KiB kept', async () => {
    const end = await run('exec yes flood >&2', { timeMs: 800 })
    expect(end).toMatchObject({ kind: 'killed', by: 'time' })
    expect(end.stderr.length).toBeLessThanOrEqual(64 * 1024)
    expect(end.stderr).toMatch(/flood\nflood/)
  })

  it('that hangs without CPU time or output is ended before its deadline, and one that works is not [L-time]', async () => {
    // Far above the pauses below, since they take longer on a busy machine.
    const silenceMs = 1200
    const hung = await run('exec sleep 60', { silenceMs })
    expect(hung).toMatchObject({ kind: 'killed', by: 'silence' })
    await folder[Symbol.asyncDispose]()
    const talks = await run('for n in $(seq 8); do echo $n; sleep 0.2; done', { silenceMs })
    expect(talks).toMatchObject({ kind: 'exited', code: 0 })
    await folder[Symbol.asyncDispose]()
    const writes = await run('for n in $(seq 8); do echo $n >> out; sleep 0.2; done', { silenceMs })
    expect(writes).toMatchObject({ kind: 'exited', code: 0 })
    await folder[Symbol.asyncDispose]()
    const computes = await run('end=$((SECONDS + 3)); while [ $SECONDS -lt $end ]; do :; done', { silenceMs })
    expect(computes).toMatchObject({ kind: 'exited', code: 0 })
  })

  it('that ignores signals is gone within 2 s of a cancel [D-state-21]', async () => {
    const cancel = new AbortController()
    folder = await open.sandbox.createJobFolder()
    const script = 'trap "" TERM INT HUP; echo up; while :; do sleep 0.1; done'
    const up = Promise.withResolvers<string>()
    const options = { folder, signal: cancel.signal, onLine: up.resolve }
    const running = open.sandbox.run({ program: 'bash', args: ['-c', script], limits }, options)
    expect(await up.promise).toBe('up')
    const canceledAt = performance.now()
    cancel.abort()
    expect(await running).toMatchObject({ kind: 'killed', by: 'caller' })
    expect(performance.now() - canceledAt).toBeLessThan(2000)
  })

  it('that starts daemons leaves none behind', async () => {
    const script =
      '(setsid bash -c "trap \'\' TERM HUP; (sleep 1000 & sleep 1000) & sleep 1000" >/dev/null 2>&1 &); exit 0'
    expect(await run(script)).toMatchObject({ kind: 'exited', code: 0 })
  })

  it('does not even start when its caller has gone', async () => {
    expect(await run('echo x > /job/x', {}, AbortSignal.abort())).toMatchObject({ by: 'caller' })
  })

  it('that ends itself by a signal has exited with the number of it', async () => {
    expect(await run('kill -9 $$')).toMatchObject({ kind: 'exited', code: 137 })
  })
})

describe('what a hostile program leaves', () => {
  it.each([
    ['a link to a file of the host', 'ln -s /etc/passwd out'],
    ['a pipe', 'mkfifo out'],
    ['a folder', 'mkdir out'],
    ['nothing', 'true'],
    ['a socket', 'perl -MIO::Socket::UNIX -e \'IO::Socket::UNIX->new(Local => "out", Listen => 1)\''],
  ])('is no output if it is %s', async (_, script) => {
    await run(script)
    expect(await open.sandbox.openOutput(folder, 'out')).toMatchObject({ kind: 'failure', code: 'output_missing' })
  })

  it('is no output if it is too large', async () => {
    await run('head -c 100 /dev/zero > out')
    expect(await open.sandbox.openOutput(folder, 'out', 99)).toMatchObject({ kind: 'failure', code: 'limit_exceeded' })
    const fits = await open.sandbox.openOutput(folder, 'out', 100)
    if ('kind' in fits) throw new Error(fits.detail)
    await fits[Symbol.asyncDispose]()
  })

  it('is never read from outside the folder', async () => {
    await run('true')
    for (const name of ['../x', '/etc/passwd', '..', '.', 'a/b', '']) {
      await expect(open.sandbox.openOutput(folder, name)).rejects.toThrow(/plain name/)
    }
  })

  it('is never followed when the worker adds a file', async () => {
    await run('ln -s /etc/canary in-1.txt')
    await expect(folder.createFile('in-1.txt')).rejects.toMatchObject({ code: 'EEXIST' })
  })

  it('is deleted with its folder, however deep or protected it is', async () => {
    const { path } = await open.sandbox.createJobFolder().then((made) => {
      folder = made
      return made
    })
    await writeFile(join(path, 'in-0.txt'), 'x')
    const deep = 'perl -e \'for (1..900) { mkdir "dddddddddd"; chdir "dddddddddd" }\''
    const locked = 'mkdir -p a/b/c && touch a/b/c/x && chmod 000 a/b/c a/b a'
    const odd = "touch -- '-rf' $'new\\nline' && ln -s / root"
    const step = { program: 'bash', args: ['-c', `${deep}; ${locked}; ${odd}`], limits }
    // A path that exceeds the maximum length cannot be examined, so it counts as too much.
    expect(await open.sandbox.run(step, { folder, signal: never })).toMatchObject({ kind: 'killed', by: 'disk' })
    await folder[Symbol.asyncDispose]()
    expect(await open.files()).toEqual([])
  })
})

describe('a sandbox killed while it is being built', () => {
  it('is gone within 2 s, whatever moment it was', async () => {
    folder = await open.sandbox.createJobFolder()
    const step = { program: 'sleep', args: ['60'], limits }
    for (let afterMs = 0; afterMs < 60; afterMs += 1) {
      const stop = new AbortController()
      const ending = open.sandbox.run(step, { folder, signal: stop.signal })
      setTimeout(() => stop.abort(), afterMs)
      await expect(ending).resolves.toMatchObject({ kind: 'killed', by: 'caller' })
    }
    expect(await open.processes()).toEqual([])
  })
})
