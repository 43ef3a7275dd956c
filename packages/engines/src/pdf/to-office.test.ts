import { type Failure, failure, isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import type { CallStep, Findings, Plan } from '../engine.ts'
import { importLimits } from '../pages/limits.ts'
import { commands, last, second } from '../testing/pdf-plans.ts'

function planned(plan: Plan | Failure | undefined): Plan {
  if (plan === undefined || isFailure(plan)) throw new Error(`no plan: ${plan?.code}`)
  return plan
}

/** The plan that follows when the last step printed `said` and the steps failed or not. */
function after(plan: Plan, { said = '', failed = false, sizes = {} } = {}): Plan | Failure | undefined {
  const made = Object.fromEntries(plan.steps.flatMap(({ outputs }) => outputs).map((name) => [name, 1000]))
  const found: Findings = {
    stdout: plan.steps.map((_, n) => (n === plan.steps.length - 1 ? said : '')),
    results: plan.steps.map(() => ({})),
    failed: plan.steps.map(() => failed),
    sizes: { ...made, ...sizes },
  }
  return plan.next?.(found)
}

const weighed = (said: string) => planned(after(planned(second({ to: 'docx' })), { said }))
const simple = ['python3 flow.py out-0.pdf flow-0.html 60 595 842']

describe('a PDF that becomes a document', () => {
  it('is measured, then converted by LibreOffice [L-pdf-import]', () => {
    expect(commands(second({ to: 'docx' }))[1]).toBe('sh weigh.sh out-0.pdf')
    const plan = weighed('reading: 0\n    400 drawChar\n     12 fillPath\n')
    expect(commands(plan)).toEqual(['office'])
    expect(last(plan)).toMatchObject({
      outputs: [{ file: 'out-0.docx' }],
      warnings: [expect.stringMatching(/each line is a text box/)],
    })
  })

  it.each([
    ['more drawings than are placed', `reading: 0\n ${importLimits.drawings} fillPath\n 1 strokePath\n`],
    ['more text than is placed', `reading: 0\n ${importLimits.characters + 1} drawChar\n`],
    ['pages whose reader does not come to an end', 'reading: 124\n'],
    ['pages that break their reader', 'reading: 134\n'],
  ])('and has %s has its text in paragraphs instead [L-pdf-import]', (_, said) => {
    const plan = weighed(said)
    expect(commands(plan)).toEqual(simple)
    const write = planned(after(plan))
    expect(commands(write)).toEqual(['office'])
    expect(after(write)).toMatchObject({
      outputs: [{ file: 'out-0.docx' }],
      warnings: [expect.stringMatching(/text in paragraphs/)],
    })
  })

  it('at the limit is still converted by LibreOffice [L-pdf-import]', () => {
    const said = `reading: 1\n ${importLimits.drawings} fillPath\n ${importLimits.characters} drawChar\n`
    expect(commands(weighed(said))).toEqual(['office'])
  })

  it('has its text in paragraphs where LibreOffice does not come to an end or cannot read it [L-pdf-import]', () => {
    const plan = weighed('reading: 0\n')
    const [call] = plan.steps as CallStep[]
    expect(call?.limits.timeMs).toBe(importLimits.timeMs)
    expect(call?.readFailure?.(failure('engine_timeout'))).toEqual({ hasFailed: true })
    // The PDF was rewritten before, so the sender's file is not to blame.
    expect(call?.readFailure?.(failure('input_damaged'))).toEqual({ hasFailed: true })
    expect(call?.readFailure?.(failure('internal'))).toBeUndefined()
    expect(commands(planned(after(plan, { failed: true })))).toEqual(simple)
  })

  it('has its text alone where its pages cannot be drawn, and is refused where there is none', () => {
    const plan = planned(after(weighed('reading: 124\n'), { failed: true }))
    expect(commands(plan)).toEqual(['timeout 60 pdftotext -enc UTF-8 -eol unix -cropbox -nopgbrk out-0.pdf flow-0.txt'])
    expect(after(plan)).toMatchObject({
      steps: [{ kind: 'call' }],
      warnings: [expect.stringMatching(/only their text/)],
    })
    expect(after(plan, { sizes: { 'flow-0.txt': 1 } })).toMatchObject({ code: 'limit_exceeded' })
  })
})
