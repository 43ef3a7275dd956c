import { isFailure } from '@lathe/domain'
import { type PolicyTrial, policyTrials } from '@lathe/engines'
import { runPlan, type Sandbox, SandboxUnavailable, type Workshop } from '@lathe/sandbox'

type Needs = Omit<Workshop, 'takeTurn' | 'sandbox'> & { readonly sandbox: Sandbox }

/** Shows by trying that ImageMagick's policy denies what it must and allows what it should; throws where it does not. */
export async function provePolicies(needs: Needs, trials: readonly PolicyTrial[] = policyTrials): Promise<void> {
  const tried = await Promise.all(
    trials.map(async ({ name, plan, isAllowed }) => {
      await using folder = await needs.sandbox.createJobFolder()
      const workshop = { ...needs, takeTurn: async () => ({ [Symbol.dispose]() {} }) }
      const end = await runPlan(workshop, { plan, folder, ownerId: 'trial', signal: AbortSignal.timeout(60_000) })
      return isFailure(end) === isAllowed ? [`${name} was ${isAllowed ? 'denied' : 'allowed'}`] : []
    }),
  )
  const wrong = tried.flat()
  if (wrong.length > 0) throw new SandboxUnavailable(`the policy of ImageMagick does not hold: ${wrong.join('; ')}`)
}
