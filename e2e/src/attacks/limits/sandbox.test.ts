import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { isWithin, steps } from './steps.ts'

const bench = usePlanBench()

describe('bytes kept of what an engine complains, 65,536', () => {
  it.each(steps)('%s [L-stderr]', async (_, step) => {
    const { end } = await bench.tool('perl', ['-e', `print STDERR "x" x ${65_536 + step}; exit 3`])
    expect(end).toMatchObject({ kind: 'exited', code: 3 })
    expect(end.stderr.length).toBe(Math.min(65_536, 65_536 + step))
  })
})

describe('files an engine may leave, 20,000', () => {
  it.each(steps)('%s [L-entries]', async (_, step) => {
    // It waits, so that the count is taken while it still runs.
    const script = `for (1..${20_000 + step}) { open F, ">", "f$_"; close F } sleep ${isWithin(step) ? 3 : 40}`
    const { end } = await bench.tool('perl', ['-e', script])
    if (isWithin(step)) expect(end).toMatchObject({ kind: 'exited', code: 0 })
    else expect(end).toMatchObject({ kind: 'killed', by: 'disk' })
  })
})

describe('processes of an engine, 64', () => {
  it('is never more [L-processes]', async () => {
    const script = 'for (1..200) { $p = fork; last unless defined $p; if (!$p) { sleep 2; exit } $n++ } print "$n\\n"'
    const { stdout } = await bench.tool('perl', ['-e', script])
    // bwrap and the program itself are among the 64.
    expect(Number(stdout)).toBeGreaterThan(50)
    expect(Number(stdout)).toBeLessThan(64)
  })
})

describe('descriptors of an engine, 1,024', () => {
  it.each(steps)('%s [L-descriptors]', async (_, step) => {
    // Three are open from the beginning.
    const script = `for (1..${1024 + step - 3}) { open $f[$_], "<", "/dev/null" or exit 9 } exit 0`
    const { end } = await bench.tool('perl', ['-e', script])
    expect(end).toMatchObject({ kind: 'exited', code: isWithin(step) ? 0 : 9 })
  })
})
