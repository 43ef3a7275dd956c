import type { Plan } from '../engine.ts'
import { probeStepLimits } from '../pictures/decoder-limits.ts'
import { magickStep } from '../pictures/magick-step.ts'
import { magickTool } from './tool.ts'

/** A run of a tool that its policy must allow or deny. */
export interface PolicyTrial {
  /** Name of the tool. */
  readonly tool: string
  readonly name: string
  readonly isAllowed: boolean
  readonly plan: Plan
}

/** Inputs that an attacker would try, and one that must work, to show that the others fail because of the policy. */
const words: Readonly<Record<string, boolean>> = {
  'pbm:trial.pbm': true,
  'text:trial.txt': false,
  'label:@trial.txt': false,
  'mvg:trial.txt': false,
  'msl:trial.txt': false,
  'ephemeral:trial.txt': false,
  'https://127.0.0.1:9/': false,
  'fd:0': false,
  'xc:red': false,
}

// The text is a drawing in ImageMagick's own language. It is not an image, because ImageMagick would detect one by its
// content.
const files = [
  { file: 'trial.pbm', text: 'P1\n1 1\n0\n' },
  { file: 'trial.txt', text: 'push graphic-context\nviewbox 0 0 9 9\nrectangle 0,0 9,9\npop graphic-context\n' },
]

/** What a worker tries before it accepts work: more than once, a policy was present but denied nothing. */
export const policyTrials: readonly PolicyTrial[] = Object.entries(words).map(([name, isAllowed]) => ({
  tool: magickTool.name,
  name,
  isAllowed,
  plan: { kind: 'plan', steps: [trialStep(name)], outputs: [], warnings: [] },
}))

function trialStep(word: string) {
  const step = magickStep({
    grant: { read: [{ name: 'pbm', module: 'PNM' }], write: [{ name: 'tiff', module: 'TIFF' }] },
    args: [word, 'tiff:trial.tiff'],
    outputs: ['trial.tiff'],
    limits: probeStepLimits,
    blame: 'input',
  })
  return { ...step, writes: [...(step.writes ?? []), ...files] }
}
