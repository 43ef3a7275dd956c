import type { CallStep, JsonObject, Plan } from '../engine.ts'
import { pictureCall } from '../pictures/picture-call.ts'
import type { Versions } from './compare.ts'
import { compareLimits } from './limits.ts'
import { reportPlan } from './report.ts'

/** Plans the comparison of two images. */
export function planImages({ source, other, to, options }: Versions): Plan {
  const step = differenceStep([source, other], 1, options)
  const outputs = [{ file: differenceFile(1), format: 'png', source: 0 }]
  if (to === 'png') return { kind: 'plan', steps: [step], outputs, warnings: [] }
  return {
    kind: 'plan',
    steps: [step],
    outputs: [],
    warnings: [],
    next: ({ results }) => reportPlan({ kind: 'image', pages: results.map(toPage) }, []),
  }
}

/** The image that shows the difference between the n-th pages. */
export const differenceFile = (n: number) => `diff-${n}.png`

type File = Pick<Versions['source'], 'file' | 'format'>

/** The step that compares two images and draws the difference. The runner answers with numbers. */
export function differenceStep(inputs: readonly File[], n: number, options: Versions['options']): CallStep {
  const { tolerance = 16, strict = false } = options
  return pictureCall({
    op: 'difference',
    inputs,
    output: { file: differenceFile(n), format: 'png' },
    params: { tolerance, strict, side: compareLimits.side },
  })
}

/** Reads the runner's answer about two images. It comes from a sandbox, so only numbers are accepted. */
export function toPage(answer: JsonObject, n: number): JsonObject {
  const number = (name: string) => (typeof answer[name] === 'number' ? answer[name] : 0)
  return {
    page: n + 1,
    similarity: number('similarity'),
    changed: number('changed'),
    width: number('width'),
    height: number('height'),
    otherWidth: number('otherWidth'),
    otherHeight: number('otherHeight'),
  }
}
