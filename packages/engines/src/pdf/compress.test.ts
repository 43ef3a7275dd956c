import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import type { Plan, Step } from '../engine.ts'
import { compress } from './compress.ts'

const info = { pages: [], isEncrypted: false, isDamaged: false }
const opened: Parameters<typeof compress>[0] = { file: 'in-0.pdf', number: '0', info }

function after(plan: Plan, sizes: Readonly<Record<string, number>>): Plan {
  const next = plan.next?.({ stdout: ['', ''], results: [{}, {}], sizes })
  if (next === undefined || isFailure(next)) throw new Error('no plan follows')
  return next
}

const exit = { code: 1, stderr: 'format error: Bad PatternType' }

/** Whether a plan continues after a step with this exit. */
function isTolerated(step: Step | undefined): boolean {
  const reported = step?.kind === 'process' ? step.readExit?.(exit) : undefined
  return reported !== undefined && !isFailure(reported)
}

const argsOf = (step: Step | undefined) => (step?.kind === 'process' ? step.args.join(' ') : '')

describe('compressing a PDF', () => {
  it('reduces images first, and renumbers objects in a run of its own', () => {
    const plan = compress(opened, 'in-0.pdf', {})
    const [, reduce] = plan.steps
    expect(argsOf(reduce)).toContain('image')
    expect(argsOf(reduce)).not.toMatch(/ -g/)
    const next = after(plan, { 'a-0.pdf': 10, 'reduced-0.pdf': 5 })
    expect(next).toMatchObject({ warnings: [], outputs: [{ unlessSmallerThan: 'in-0.pdf' }] })
    expect(argsOf(next.steps[0])).toMatch(/^clean -gggg .* reduced-0\.pdf out-0\.pdf$/)
  })

  it('only packs a file whose images MuPDF cannot rewrite, with a warning', () => {
    const plan = compress(opened, 'in-0.pdf', { level: 'high' })
    const [, reduce] = plan.steps
    expect(isTolerated(reduce)).toBe(true)
    const next = after(plan, { 'a-0.pdf': 10 })
    expect(next.warnings).toEqual([expect.stringContaining('only packed better')])
    expect(next.outputs).toEqual(plan.outputs)
    const [pack] = next.steps
    expect(argsOf(pack)).toMatch(/^clean -gggg .* a-0\.pdf out-0\.pdf$/)
    expect(isTolerated(pack)).toBe(false)
  })

  it('fails at once where nothing but packing was asked for', () => {
    const [, pack] = compress(opened, 'in-0.pdf', { level: 'low' }).steps
    expect(isTolerated(pack)).toBe(false)
  })
})
