import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { layCanaries } from './support/canaries.ts'

const bench = usePlanBench()

const MiB = 1024 ** 2
const runsAll = process.env.LATHE_ATTACKS === 'all'
const limits = { timeMs: 60_000, memoryBytes: 256 * MiB, outputBytes: 64 * MiB }

/** Runs a program as an engine in an attacker's hands would; gives how it ended and what it left under the name of an output. */
async function runEvil(script: string, more: Partial<typeof limits> = {}) {
  await using folder = await bench.sandbox.createJobFolder()
  const signal = new AbortController().signal
  const step = { program: 'bash', args: ['-c', script], limits: { ...limits, ...more } }
  const started = performance.now()
  const end = await bench.sandbox.run(step, { folder, signal, onLine: () => {} })
  const tookMs = performance.now() - started
  const output = await bench.sandbox.openOutput(folder, 'out-0.png')
  if (!isFailure(output)) await output[Symbol.asyncDispose]()
  return { end, tookMs, output: isFailure(output) ? output.code : 'opened' }
}

/** An engine that behaves leaves a file that is taken. */
async function expectServing(): Promise<void> {
  expect(await runEvil('echo x > out-0.png')).toMatchObject({ end: { kind: 'exited', code: 0 }, output: 'opened' })
}

describe('an engine that floods standard error [B10]', () => {
  it('is drained without blocking, and 64 KiB of its output are kept', async () => {
    const chunks = runsAll ? 10_240 : 1_024
    const script = `perl -e 'my $x = "x" x 1048576; print STDERR $x for 1..${chunks}'`
    const { end } = await runEvil(script)
    expect(end).toMatchObject({ kind: 'exited', code: 0 })
    expect(end.stderr.length).toBe(65_536)
    await expectServing()
  })

  it('has its standard output drained as well', async () => {
    const { end } = await runEvil(`perl -e 'my $x = "x" x 1048576; print $x for 1..512'`)
    expect(end).toMatchObject({ kind: 'exited', code: 0 })
    await expectServing()
  })
})

describe('processes, files and space [B11]', () => {
  it.each([
    ['a fork bomb', 'b() { b | b & b; }; b; sleep 30', { timeMs: 3_000 }],
    [
      'daemons that ignore signals',
      'for i in $(seq 50); do setsid perl -e \'$SIG{TERM}="IGNORE"; sleep 99\' & done; sleep 99',
      { timeMs: 3_000 },
    ],
    ['a million files', 'mkdir d; perl -e \'for (1..1000000) { open F, ">", "d/$_"; close F }\'; sleep 30', {}],
    ['a hundred thousand links', 'perl -e \'symlink "/etc/passwd", "l$_" for 1..100000\'; sleep 30', {}],
    ['more bytes than allowed', 'while :; do head -c 8M /dev/zero > f$RANDOM; done', {}],
    ['64 GiB of memory', 'perl -e \'$a[$_] = "x" x (64 << 20) for 0..1023\'; sleep 30', { timeMs: 20_000 }],
  ])('%s ends with its sandbox, and soon after its limit [L-time, L-memory]', async (_, script, more) => {
    const { end, tookMs } = await runEvil(script, more)
    expect(end.kind === 'killed' || (end.kind === 'exited' && end.code !== 0)).toBe(true)
    expect(tookMs).toBeLessThan(('timeMs' in more ? more.timeMs : 40_000) + 5_000)
    await expectServing()
  })

  it('a sparse file of 1 TiB cannot be made, and several count as what they claim', async () => {
    const huge = await runEvil('truncate -s 1T out-0.png')
    expect(huge.end.kind === 'exited' && huge.end.code).not.toBe(0)
    // Each is allowed, their sum is not, and they are made before anybody can look.
    const { end } = await runEvil('for i in 0 1 2 3 4 5 6 7 8 9; do truncate -s 60M out-$i.png; done')
    expect(end).toMatchObject({ kind: 'killed', by: 'disk' })
  })
})

describe('what an engine creates in place of an output file [C04]', () => {
  it.each([
    ['a link to a file of the worker', (canary: string) => `ln -s ${canary} out-0.png`],
    ['a link to a file of the root', () => 'ln -s /etc/passwd out-0.png'],
    ['a link to its own input', () => 'echo x > in-0.png; ln -s in-0.png out-0.png'],
    ['a second name of a file', () => 'echo x > a; ln a out-0.png'],
    ['a pipe', () => 'mkfifo out-0.png'],
    ['a folder', () => 'mkdir out-0.png'],
    ['a socket', () => `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "out-0.png", Listen => 1)'`],
    ['a file nobody may read', () => 'ln -s /proc/1/environ out-0.png'],
  ])('%s counts as a missing output', async (_, script) => {
    await using canaries = await layCanaries()
    const { output } = await runEvil(script(canaries.file))
    expect(output).toBe('output_missing')
  })
})
