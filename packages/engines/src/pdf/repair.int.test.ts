import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import type { ProcessStep } from '../engine.ts'
import { repairSeconds } from '../pages/limits.ts'
import { repairs } from '../pages/repair.ts'
import { rawPdf } from './hostile-pdf.ts'

const bench = usePlanBench()

const cut = rawPdf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
])
const damaged = Buffer.from(cut.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')
const steps = repairs.map((repair) => repair('in-0.pdf', 'out-0.pdf'))

async function run({ program, args, outputs }: ProcessStep) {
  const made = await bench.tool(program, args, { files: { 'in-0.pdf': damaged }, outputs })
  return { code: made.end.kind === 'exited' ? made.end.code : -1, size: made.outputs['out-0.pdf']?.length ?? 0 }
}

describe('time for a repair, 30 s [L-repair-time]', () => {
  it('is what every repair is given', () => {
    expect(repairSeconds).toBe(30)
    expect(steps.map(({ program, args: [seconds] }) => [program, seconds])).toEqual(steps.map(() => ['timeout', '30']))
  })

  it('is enough for a PDF that is repaired sooner', async () => {
    for (const step of steps) expect((await run(step)).size).toBeGreaterThan(100)
  })

  it('ends a repair that takes longer, and the next one is tried', async () => {
    for (const step of steps) {
      // A program that runs longer, in place of the repair.
      const slow = { ...step, args: ['1', 'sleep', '60'] }
      const started = performance.now()
      expect(await run(slow)).toEqual({ code: 124, size: 0 })
      expect(performance.now() - started).toBeLessThan(15_000)
      // The task does not fail: the next probe of the PDF notices what is missing.
      expect(step.readExit?.({ code: 124, stderr: '' })).toEqual({})
    }
  })
})
