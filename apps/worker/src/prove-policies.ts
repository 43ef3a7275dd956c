import { isFailure } from '@lathe/domain'
import { type PolicyTrial, policyTrials } from '@lathe/engines'
import { runPlan, type Sandbox, SandboxUnavailable, type Workshop } from '@lathe/sandbox'

type Needs = Omit<Workshop, 'takePermit' | 'sandbox'> & { readonly sandbox: Sandbox }

/** Tests that the policies of engines deny what they must and allow what they should. Throws if they do not. */
export async function provePolicies(needs: Needs, trials: readonly PolicyTrial[] = policyTrials): Promise<void> {
  const wrong: string[] = []
  // One after the other: on a machine that is busy starting, many at once would miss their deadlines.
  for (const { tool, name, plan, isAllowed } of trials) {
    if (needs.runners.lacking?.includes(tool)) continue
    await using folder = await needs.sandbox.createJobFolder()
    const workshop = { ...needs, takePermit: async () => ({ [Symbol.dispose]() {} }) }
    const end = await runPlan(workshop, { plan, folder, ownerId: 'trial', signal: AbortSignal.timeout(60_000) })
    if (isFailure(end) === isAllowed) wrong.push(`${name} was ${isAllowed ? 'denied' : 'allowed'}`)
  }
  if (wrong.length > 0) throw new SandboxUnavailable(`the policy of an engine does not hold: ${wrong.join('; ')}`)
}
