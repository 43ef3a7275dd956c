import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox, until } from '../test/open-sandbox.ts'
import type { StepLimits } from './index.ts'

const MiB = 1024 * 1024
const limits: StepLimits = { timeMs: 10_000, memoryBytes: 256 * MiB, outputBytes: 16 * MiB }
const never = new AbortController().signal

let open: TestSandbox

beforeAll(async () => {
  open = await openSandbox(64_106, { programsAhead: 2 })
})
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  expect(await open.processes()).toEqual([])
})

/** Runs a program and gives what it wrote. */
async function run(program: string, args: readonly string[], more: Partial<StepLimits> = {}) {
  await using folder = await open.sandbox.createJobFolder()
  const lines: string[] = []
  const step = { program, args, limits: { ...limits, ...more } }
  const end = await open.sandbox.run(step, { folder, signal: never, onLine: (line) => lines.push(line) })
  return { end, lines }
}

const waitingPrograms = async () => (await open.files()).filter((name) => name.startsWith('waiting-')).length

describe('a program that was started ahead', () => {
  it('waits after the first run of its kind, does one run, and is replaced', async () => {
    expect(await waitingPrograms()).toBe(0)
    await run('sh', ['-c', 'true'])
    await until(async () => (await waitingPrograms()) === 2)
    const before = await open.files()
    const { end, lines } = await run('sh', ['-c', 'echo done'])
    expect({ end, lines }).toEqual({ end: { kind: 'exited', code: 0, stderr: '' }, lines: ['done'] })
    await until(async () => (await waitingPrograms()) === 2)
    expect(await open.files()).not.toEqual(before)
  })

  it('gets every word as it was given', async () => {
    const words = ['', ' ', '-n', "it's", 'two\nlines', 'ünï😀', '$(id)', '*', 'x'.repeat(100_000)]
    for (const time of [1, 2, 3]) {
      const { lines } = await run('perl', ['-e', 'print length, "\\n" for @ARGV', '--', ...words])
      expect({ time, lines }).toEqual({ time, lines: words.map((word) => String(Buffer.byteLength(word))) })
    }
  })

  it('has nothing on its standard input, works in /job, and knows nothing of having waited', async () => {
    const script = 'cat; pwd -P; ls -d /job/; ls /proc/self/fd; env | grep -c LD_; env | grep -c "^HOME=/tmp$"; exit 0'
    const { lines } = await run('sh', ['-c', script])
    expect(lines).toEqual(['/jobs/job', '/job/', '0', '1', '2', '3', '0', '1'])
  })

  it('keeps to the limits of its own run', async () => {
    const write = ['-c', 'exec head -c 3M /dev/zero > big']
    expect((await run('bash', write)).end).toMatchObject({ kind: 'exited', code: 0 })
    expect((await run('bash', write, { outputBytes: MiB })).end).toMatchObject({ kind: 'exited', code: 153 })
    const greedy = ['-e', 'my $all = "x" x (64 * 1024 * 1024); print "ok\\n"']
    expect((await run('perl', greedy)).lines).toEqual(['ok'])
    if (!open.sandbox.host.cgroups) return
    expect((await run('perl', greedy, { memoryBytes: 32 * MiB })).end).toMatchObject({ kind: 'killed', by: 'memory' })
  })

  it('may be a script', async () => {
    const { end, lines } = await run('ocrmypdf', ['--version'], { memoryBytes: 512 * MiB })
    expect(end).toMatchObject({ kind: 'exited', code: 0 })
    expect(lines[0]).toMatch(/^\d+\.\d+/)
  })

  it('cannot touch the folder its job’s folder is handed over in', async () => {
    const script = 'mv /jobs/job /jobs/other; ln -s / /jobs/link; rm -rf /jobs/job; ls /jobs; touch kept'
    const { end, lines } = await run('bash', ['-c', script])
    expect(end).toMatchObject({ kind: 'exited', code: 0 })
    expect(lines).toEqual([])
  })

  it('that does not exist fails its run, time after time', async () => {
    for (const _ of [1, 2, 3]) {
      const { end } = await run('no-such-program', [])
      expect(end).toMatchObject({ kind: 'exited', code: 1, stderr: expect.stringContaining('no-such-program') })
    }
  })

  it('serves many runs at once', async () => {
    const runs = Array.from({ length: 12 }, (_, n) => run('sh', ['-c', `echo ${n}`]))
    const ends = await Promise.all(runs)
    expect(ends.map(({ lines }) => lines)).toEqual(ends.map((_, n) => [String(n)]))
  })
})
