import { policyTrials } from '@lathe/engines'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { provePolicies } from './prove-policies.ts'

const bench = usePlanBench()

// No trial calls a runner.
const prove = (trials = policyTrials) => {
  const { sandbox } = bench
  return provePolicies({ sandbox, runners: {} as Parameters<typeof provePolicies>[0]['runners'] }, trials)
}

describe('A03 the policies a worker checks before it claims tasks', () => {
  it('A03: are effective', async () => {
    await expect(prove()).resolves.toBeUndefined()
  })

  it('A03: fail the check if one denies nothing', async () => {
    const open = policyTrials.map(({ plan, ...trial }) => {
      const steps = plan.steps.map((step) => {
        const writes = (step.writes ?? []).map(({ file, text }) => ({
          file,
          text: file === 'policy.xml' ? '<policymap></policymap>' : text,
        }))
        return { ...step, writes }
      })
      return { ...trial, plan: { ...plan, steps } }
    })
    await expect(prove(open)).rejects.toThrow(/mvg:trial.txt was allowed.*xc:red was allowed/)
  })
})
