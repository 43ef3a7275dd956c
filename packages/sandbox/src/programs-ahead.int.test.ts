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

/** Runs a program and returns its output. */
async function run(program: string, args: readonly string[], more: Partial<StepLimits> = {}) {
  await using folder = await open.sandbox.createJobFolder()
  const lines: string[] = []
  const step = { program, args, limits: { ...limits, ...more } }
  const end = await open.sandbox.run(step, { folder, signal: never, onLine: (line) => lines.push(line) })
  return { end, lines }
}

const waitingPrograms = async () => (await open.files()).filter((name) => name.startsWith('waiting-')).length

describe('a prestarted program', () => {
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

  it('gets every argument unchanged', async () => {
    const words = ['', ' ', '-n', "it's", 'two\nlines', 'ünï😀', '$(id)', '*', 'x'.repeat(100_000)]
    for (const time of [1, 2, 3]) {
      const { lines } = await run('perl', ['-e', 'print length, "\\n" for @ARGV', '--', ...words])
      expect({ time, lines }).toEqual({ time, lines: words.map((word) => String(Buffer.byteLength(word))) })
    }
  })

  it('has an empty standard input, runs in /job, and cannot tell that it has waited', async () => {
    const script = 'cat; pwd -P; ls -d /job/; ls /proc/self/fd; env | grep -c LD_; env | grep -c "^HOME=/tmp$"; exit 0'
    const { lines } = await run('sh', ['-c', script])
    expect(lines).toEqual(['/jobs/job', '/job/', '0', '1', '2', '3', '0', '1'])
  })

  it('keeps to the limits of its own run', async () => {
    const write = ['-c', 'exec head -c 3M /dev/zero > big']
    expect((await run('bash', write)).end).toMatchObject({ kind: 'exited', code: 0 })
    expect((await run('bash', write, { outputBytes: MiB })).end).toMatchObject({
      kind: 'exited',
      code: 153,
      beyond: expect.stringContaining('a file of more than 1 MiB'),
    })
    const greedy = ['-e', 'my $all = "x" x (64 * 1024 * 1024); print "ok\\n"']
    expect((await run('perl', greedy)).lines).toEqual(['ok'])
    if (!open.sandbox.host.cgroups) return
    expect((await run('perl', greedy, { memoryBytes: 32 * MiB })).end).toMatchObject({
      by: 'memory',
      beyond: expect.stringContaining('more than 32 MiB of memory'),
    })
  })

  it('may be a script', async () => {
    const { end, lines } = await run('ocrmypdf', ['--version'], { memoryBytes: 512 * MiB })
    expect(end).toMatchObject({ kind: 'exited', code: 0 })
    expect(lines[0]).toMatch(/^\d+\.\d+/)
  })

  it('cannot access the folder through which it receives its job', async () => {
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

describe('Python with preloaded modules', () => {
  const first = `import os, sys
import second

loaded_in = os.getcwd()

def main():
    print(second.greet(sys.argv[1]), loaded_in, os.getcwd(), sys.argv, sep="|")
    sys.stdout.flush()
    print(sys.stdin.read(), sorted(os.listdir("/proc/self/fd")), "LD_PRELOAD" in os.environ, sep="|")
    if sys.argv[2] == "fail":
        sys.exit(3)
    with open("big", "wb") as file:
        file.write(bytes(3 * 1024 * 1024))
`
  const second = 'def greet(name):\n    return "hello " + name\n'

  async function runModules(args: readonly string[], more: Partial<StepLimits> & { modules?: object } = {}) {
    await using folder = await open.sandbox.createJobFolder()
    const lines: string[] = []
    const { modules = { first, second }, ...less } = more
    const step = {
      program: 'python3',
      args: ['first.py', ...args],
      modules: { ...modules },
      limits: { ...limits, ...less },
    }
    const end = await open.sandbox.run(step, { folder, signal: never, onLine: (line) => lines.push(line) })
    return { end, lines }
  }

  it('loads them before it waits, and runs once with its arguments', async () => {
    for (const name of ["it's", 'two\nlines'.slice(0, 3), 'ünï😀']) {
      const { end, lines } = await runModules([name, 'go'])
      expect(end).toEqual({ kind: 'exited', code: 0, stderr: '' })
      expect(lines[0]).toMatch(new RegExp(`^hello ${name}\\|/\\|/jobs/job\\|\\['first.py', `))
      expect(lines[1]).toMatch(/^\|\['0', '1', '2', '\d+'\]\|False$/)
      await until(async () => (await waitingPrograms()) >= 2)
    }
  })

  it('has the exit code of its script, and keeps to the limits of its run', async () => {
    expect((await runModules(['a', 'fail'])).end).toMatchObject({ kind: 'exited', code: 3 })
    const { end } = await runModules(['a', 'go'], { outputBytes: MiB })
    expect(end).toMatchObject({ kind: 'exited', code: 1, stderr: expect.stringContaining('File too large') })
  })

  it('is not confused with Python with other modules, and fails if its modules do', async () => {
    await runModules(['a', 'go'])
    const other = { first: first.replace('sep="|"', 'sep="-"'), second }
    expect((await runModules(['a', 'go'], { modules: other })).lines[0]).toMatch(/^hello a-/)
    const broken = { first: 'import no_such_module\n' }
    for (const _ of [1, 2]) {
      const { end } = await runModules(['a', 'go'], { modules: broken })
      expect(end).toMatchObject({ kind: 'exited', code: 1, stderr: expect.stringContaining('no_such_module') })
    }
  })
})
